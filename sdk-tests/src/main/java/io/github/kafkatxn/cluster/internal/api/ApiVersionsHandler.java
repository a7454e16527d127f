package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * ApiVersions (key 18).
 *
 * <p><b>Versions</b>: 0-5. A version that is not known here is answered in version 0 with UNSUPPORTED_VERSION and the
 * list, so that the client can choose again.
 *
 * <p><b>Behaviour</b>: lists what is registered; from version 3 on the finalized features, by which clients choose
 * transaction version 2. Features that may be off are not listed as supported in version 3, whose clients take level 0
 * for a mistake. Produce is listed from version 0 on, as some clients ask for that, and answered from 3 on. A client's
 * name or version that is no name: INVALID_REQUEST.
 *
 * <p><b>Left out</b>: checking the cluster and node id of version 5; features that the cluster knows nothing of.
 */
final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequestData> {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");

    private static final short KNOWS_LEVEL_0 = 4;

    /** The highest levels that Apache Kafka has. */
    private static final Map<String, Short> LATEST =
            Map.of("group.version", (short) 1, "share.version", (short) 2, "transaction.version", (short) 2);

    private final ApiRegistry registry;
    private final Supplier<ClusterImage> image;

    ApiVersionsHandler(ApiRegistry registry, Supplier<ClusterImage> image) {
        this.registry = registry;
        this.image = image;
    }

    @Override
    public short key() {
        return ApiMessageType.API_VERSIONS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.API_VERSIONS);
    }

    @Override
    public void handle(Call<ApiVersionsRequestData> call) {
        if (call.version() >= 3 && !isNamed(call.request())) {
            call.answer(new ApiVersionsResponseData().setErrorCode(Errors.INVALID_REQUEST.code()));
            return;
        }
        ApiVersionsResponseData response = list(registry, Errors.NONE);
        addFeatures(response, call.version());
        call.answer(response);
    }

    static ApiVersionsResponseData list(ApiRegistry registry, Errors error) {
        ApiVersionsResponseData response = new ApiVersionsResponseData().setErrorCode(error.code());
        for (ApiRegistry.Entry entry : registry.entries()) {
            boolean produce = entry.handler().key() == ApiMessageType.PRODUCE.apiKey();
            response.apiKeys()
                    .add(new ApiVersion()
                            .setApiKey(entry.handler().key())
                            .setMinVersion(
                                    produce
                                            ? ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION
                                            : entry.versions().min())
                            .setMaxVersion(entry.versions().max()));
        }
        return response;
    }

    private void addFeatures(ApiVersionsResponseData response, short version) {
        ClusterImage now = image.get();
        response.setFinalizedFeaturesEpoch(now.version());
        now.features().forEach((name, level) -> {
            if (version >= KNOWS_LEVEL_0) {
                response.supportedFeatures()
                        .add(new SupportedFeatureKey()
                                .setName(name)
                                .setMinVersion((short) 0)
                                .setMaxVersion((short) Math.max(level, LATEST.getOrDefault(name, level))));
            }
            if (level > 0) {
                response.finalizedFeatures()
                        .add(new FinalizedFeatureKey()
                                .setName(name)
                                .setMinVersionLevel(level)
                                .setMaxVersionLevel(level));
            }
        });
    }

    private static boolean isNamed(ApiVersionsRequestData request) {
        return NAME.matcher(request.clientSoftwareName()).matches()
                && NAME.matcher(request.clientSoftwareVersion()).matches();
    }
}
