package io.github.kafkatxn.cluster.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.github.kafkatxn.cluster.ManualClock;
import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What the annotation says is what the test gets, and what a test leaves behind fails it. */
@Timeout(30)
@WithKafka(nodes = 2)
class KafkaExtensionTest {
    private static final List<ReferenceCluster> SEEN = new ArrayList<>();

    @Retention(RetentionPolicy.RUNTIME)
    @WithKafka(nodes = 3, apiCaps = "END_TXN : 4", properties = "socket.request.max.bytes = 1000")
    private @interface OldCluster {}

    @BeforeEach
    void everyTestHasAClusterOfItsOwn(ReferenceCluster cluster) {
        assertThat(SEEN).doesNotContain(cluster);
        SEEN.add(cluster);
    }

    @Test
    void ofTheClass(ReferenceCluster cluster) {
        assertThat(cluster.bootstrapServers().split(",", -1)).hasSize(2);
        assertThat(SEEN).contains(cluster);
    }

    @Test
    @OldCluster
    void ofAnAnnotationOfMyOwn(ReferenceCluster cluster) throws IOException {
        assertThat(cluster.bootstrapServers().split(",", -1)).hasSize(3);
        try (RawClient client = RawClient.of(cluster)) {
            ApiVersionsResponseData answer = client.apiVersions();
            assertThat(answer.apiKeys().find(ApiKeys.END_TXN.id).maxVersion()).isEqualTo((short) 4);
            client.write(new byte[] {0, 0, 4, 0});
            assertThat(client.isClosedByNode()).isTrue();
        }
    }

    @Test
    @WithKafka(manualClock = true)
    void ofTheMethod(ReferenceCluster cluster, ManualClock clock) {
        assertThat(cluster.bootstrapServers().split(",", -1)).hasSize(1);
        assertThat(clock.millis()).isPositive();
    }

    @Nested
    class InAClassInside {
        @Test
        void theClassAroundCounts(ReferenceCluster cluster) {
            assertThat(cluster.bootstrapServers().split(",", -1)).hasSize(2);
        }
    }

    @Test
    void whatIsWrongInAnAnnotationIsNamed() {
        assertThat(failure("noSuchKey")).hasMessageContaining("there is no API key END_TRANSACTION");
        assertThat(failure("noProperty")).hasMessageContaining("\"a property\" is not name=value");
        assertThat(failure("unknownProperty"))
                .hasMessageContaining("\"auto.create.topic.enable\" has no effect here")
                .hasMessageContaining("auto.create.topics.enable");
        assertThat(failure("noNumber")).hasMessage("num.partitions is \"many\": a whole number is needed");
        assertThat(failure("noPartition")).hasMessage("num.partitions is 0: allowed is 1 or more");
        assertThat(failure("noFlag")).hasMessageContaining("is \"no\": allowed are true and false");
        assertThat(failure("noClock", ManualClock.class)).hasMessageContaining("@WithKafka(manualClock = true)");
    }

    @Test
    void anUnusedFaultFailsTheTestUnlessItHasFailedAlready() {
        assertThat(failure("unusedFault"))
                .hasMessageContaining("never happened")
                .hasMessageContaining("EndTxn");
        assertThat(failure("failsBefore")).hasMessage("its own failure");
    }

    @Test
    void threadsAreGoneAfterATest() {
        assertThat(failure("failsBefore")).isNotNull();

        ReferenceCluster failed = Objects.requireNonNull(BadTests.failed);
        assertThat(failed.faults().rules()).hasSize(1);
        assertThatThrownBy(() -> failed.startNode(0)).hasMessage("the cluster is closed");
        assertThatThrownBy(() -> RawClient.of(failed).close()).isInstanceOf(IOException.class);
    }

    private static Throwable failure(String test) {
        return failure(test, ReferenceCluster.class);
    }

    private static Throwable failure(String test, Class<?> parameter) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(BadTests.class, test, parameter.getName()))
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(request, listener);
        assertThat(listener.getSummary().getFailures()).hasSize(1);
        return listener.getSummary().getFailures().get(0).getException();
    }

    /** Not found by the build: its name is not that of a test class, and it is nested and static. */
    static class BadTests {
        static @Nullable ReferenceCluster failed;

        @Test
        @WithKafka(apiCaps = "END_TRANSACTION:4")
        void noSuchKey(ReferenceCluster cluster) {}

        @Test
        @WithKafka(properties = "a property")
        void noProperty(ReferenceCluster cluster) {}

        @Test
        @WithKafka(properties = "auto.create.topic.enable=false")
        void unknownProperty(ReferenceCluster cluster) {}

        @Test
        @WithKafka(properties = "num.partitions=many")
        void noNumber(ReferenceCluster cluster) {}

        @Test
        @WithKafka(properties = "num.partitions=0")
        void noPartition(ReferenceCluster cluster) {}

        @Test
        @WithKafka(properties = "auto.create.topics.enable=no")
        void noFlag(ReferenceCluster cluster) {}

        @Test
        @WithKafka
        void noClock(ManualClock clock) {}

        @Test
        @WithKafka
        void unusedFault(ReferenceCluster cluster) {
            cluster.faults().on(ApiKeys.END_TXN).dropAfterHandling();
        }

        @Test
        @WithKafka
        void failsBefore(ReferenceCluster cluster) {
            failed = cluster;
            cluster.faults().on(ApiKeys.END_TXN).dropAfterHandling();
            throw new IllegalStateException("its own failure");
        }
    }
}
