package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests to change the finalized features. */
final class FeatureRequests {
    private static final List<String> FEATURES =
            List.of("transaction.version", "group.version", "share.version", "nonsense");

    private FeatureRequests() {}

    static List<Verb> all() {
        return List.of(new Verb(
                "UpdateFeatures",
                String.join(" ", FEATURES) + " type allowDowngrade validateOnly",
                FeatureRequests::update));
    }

    /**
     * {@code UpdateFeatures v1 transaction.version=2 type1 validateOnly}: 1 is an upgrade, 2 and 3 are safe and unsafe
     * downgrades; in version 0 it is {@code allowDowngrade}.
     */
    private static String update(Step step, Names names, Wire wire) throws IOException {
        UpdateFeaturesRequestData request = new UpdateFeaturesRequestData();
        if (step.version() > 0) {
            request.setValidateOnly(step.has("validateOnly"));
        }
        for (String feature : FEATURES) {
            if (step.value(feature).isPresent()) {
                FeatureUpdateKey update =
                        new FeatureUpdateKey().setFeature(feature).setMaxVersionLevel((short) step.number(feature, 0));
                if (step.version() > 0) {
                    update.setUpgradeType((byte) step.number("type", 1));
                } else {
                    update.setAllowDowngrade(step.has("allowDowngrade"));
                }
                request.featureUpdates().add(update);
            }
        }
        UpdateFeaturesResponseData answer = wire.ask(request, step.version(), UpdateFeaturesResponseData.class);
        return "top:" + Errors.forCode(answer.errorCode())
                + answer.results().stream()
                        .map(result -> " " + result.feature() + ":" + Errors.forCode(result.errorCode()))
                        .sorted()
                        .collect(Collectors.joining());
    }
}
