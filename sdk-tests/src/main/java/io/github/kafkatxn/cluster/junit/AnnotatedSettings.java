package io.github.kafkatxn.cluster.junit;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ManualClock;
import java.util.Arrays;
import org.apache.kafka.common.protocol.ApiKeys;

/** From an annotation to settings. */
final class AnnotatedSettings {
    private AnnotatedSettings() {}

    static ClusterSettings of(WithKafka wanted) {
        ClusterSettings.Builder settings =
                ClusterSettings.builder().nodes(wanted.nodes()).transactionVersion(wanted.transactionVersion());
        for (String property : wanted.properties()) {
            int equals = split(property, '=', "name=value");
            settings.nodeProperty(
                    property.substring(0, equals).strip(),
                    property.substring(equals + 1).strip());
        }
        for (String cap : wanted.apiCaps()) {
            int colon = split(cap, ':', "KEY:version");
            settings.cap(
                    key(cap.substring(0, colon).strip()),
                    version(cap.substring(colon + 1).strip(), cap));
        }
        if (wanted.manualClock()) {
            settings.clock(new ManualClock());
        }
        return settings.build();
    }

    private static int split(String text, char by, String shape) {
        int at = text.indexOf(by);
        if (at < 1) {
            throw new IllegalArgumentException("@WithKafka: \"" + text + "\" is not " + shape);
        }
        return at;
    }

    private static ApiKeys key(String name) {
        return Arrays.stream(ApiKeys.values())
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "@WithKafka: there is no API key " + name + "; they are called as in ApiKeys, END_TXN"));
    }

    private static int version(String number, String cap) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("@WithKafka: \"" + cap + "\" is not KEY:version", e);
        }
    }
}
