package io.github.kafkatxn.internal.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;

/** Whether a broker takes share acknowledgements into transactions: the API key alone may be that of another API. */
final class ShareCapability {
    private static final String FEATURE = "share.version";
    private static final short LEVEL = 3;

    private ShareCapability() {}

    /** {@return what a broker lacks by its answer to ApiVersions; empty if it lacks nothing} */
    static Optional<String> missing(ApiVersionsResponseData versions) {
        List<String> missing = new ArrayList<>();
        ApiVersion api = versions.apiKeys().find(TxnShareAcknowledge.KEY);
        if (api == null || api.minVersion() > TxnShareAcknowledge.VERSION) {
            missing.add("API key " + TxnShareAcknowledge.KEY + " (" + TxnShareAcknowledge.NAME + ")");
        }
        FinalizedFeatureKey feature = versions.finalizedFeatures().find(FEATURE);
        int level = feature == null ? 0 : feature.maxVersionLevel();
        if (level < LEVEL) {
            missing.add(FEATURE + " " + LEVEL + " (it is " + level + ")");
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", missing));
    }
}
