package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData.UpdatableFeatureResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.ResourceType;

/**
 * UpdateFeatures (key 57).
 *
 * <p><b>Versions</b>: 0-2; up to version 1 a result for each feature once they are changed.
 *
 * <p><b>Behaviour</b>: all changes or none. Clients that are connected hear of a new level with their next connection.
 * Needs ALTER on the cluster.
 *
 * <p><b>Left out</b>: another level of any feature but {@code transaction.version}.
 */
final class UpdateFeaturesHandler implements ApiHandler<UpdateFeaturesRequestData> {
    private static final String TRANSACTION_VERSION = "transaction.version";
    private static final short NEWEST_TRANSACTION_VERSION = 2;
    private static final short WITH_UPGRADE_TYPE = 1;
    private static final short WITHOUT_RESULTS = 2;

    private final NodeContext node;
    private final Rights rights;

    UpdateFeaturesHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.UPDATE_FEATURES.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.UPDATE_FEATURES);
    }

    @Override
    public void handle(Call<UpdateFeaturesRequestData> call) {
        if (!rights.allows(call, AclOperation.ALTER, ResourceType.CLUSTER, Rights.CLUSTER_NAME)) {
            call.answer(response(call, new ApiError(Errors.CLUSTER_AUTHORIZATION_FAILED)));
            return;
        }
        node.controller()
                .submit(
                        controller -> response(call, update(controller, call.request(), call.version())),
                        call.guarded(call::answer));
    }

    /** On the controller's thread. */
    private static ApiError update(Controller controller, UpdateFeaturesRequestData request, short version) {
        Map<String, Short> features = new HashMap<>(controller.image().features());
        for (FeatureUpdateKey update : request.featureUpdates()) {
            String wrong = wrong(controller.image(), update, type(update, version));
            if (!wrong.isEmpty()) {
                return new ApiError(
                        Errors.INVALID_UPDATE_VERSION,
                        "Invalid update version " + update.maxVersionLevel() + " for feature " + update.feature() + ". "
                                + wrong);
            }
            features.put(update.feature(), update.maxVersionLevel());
        }
        if (!request.validateOnly()) {
            controller.setFeatures(features);
        }
        return ApiError.NONE;
    }

    private static UpgradeType type(FeatureUpdateKey update, short version) {
        if (version < WITH_UPGRADE_TYPE) {
            return update.allowDowngrade() ? UpgradeType.SAFE_DOWNGRADE : UpgradeType.UPGRADE;
        }
        return UpgradeType.fromCode(update.upgradeType());
    }

    /** {@return why a feature does not get this level, empty if it may} */
    private static String wrong(ClusterImage image, FeatureUpdateKey update, UpgradeType type) {
        Short now = image.features().get(update.feature());
        short level = update.maxVersionLevel();
        if (type == UpgradeType.UNKNOWN) {
            return "The controller does not support the given upgrade type.";
        }
        if (level < 0) {
            return "A feature version cannot be less than 0.";
        }
        if (now == null) {
            return "The cluster does not know this feature.";
        }
        boolean changes = update.feature().equals(TRANSACTION_VERSION);
        if (changes ? level > NEWEST_TRANSACTION_VERSION : level != now) {
            return "The cluster supports " + (changes ? "0 to " + NEWEST_TRANSACTION_VERSION : "only " + now) + ".";
        }
        if (level < now && type == UpgradeType.UPGRADE) {
            return "Can't downgrade the version of this feature without setting the upgrade type to either safe or"
                    + " unsafe downgrade.";
        }
        return level > now && type != UpgradeType.UPGRADE ? "Can't downgrade to a newer version." : "";
    }

    private static UpdateFeaturesResponseData response(Call<UpdateFeaturesRequestData> call, ApiError error) {
        UpdateFeaturesResponseData response = new UpdateFeaturesResponseData()
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message());
        if (call.version() < WITHOUT_RESULTS && error.isSuccess()) {
            call.request()
                    .featureUpdates()
                    .forEach(update ->
                            response.results().add(new UpdatableFeatureResult().setFeature(update.feature())));
        }
        return response;
    }
}
