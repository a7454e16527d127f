package io.github.kafkatxn.cluster.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ManualClock;
import io.github.kafkatxn.cluster.ReferenceCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Registered by hand, the extension takes any settings. */
@Timeout(30)
class KafkaExtensionByHandTest {

    @RegisterExtension
    static final KafkaExtension KAFKA = KafkaExtension.with(
            ClusterSettings.builder().nodes(4).clock(new ManualClock()).build());

    @Test
    void theClockOfTheSettingsIsAParameter(ManualClock clock) {
        assertThat(clock.millis()).isPositive();
    }

    @Test
    void theClusterIsTheParameterToo(ReferenceCluster cluster) {
        assertThat(KAFKA.cluster()).isSameAs(cluster);
        assertThat(cluster.bootstrapServers().split(",", -1)).hasSize(4);
    }
}
