package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.refusal;
import static io.github.kafkatxn.wire.OffsetsFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.internal.wire.BrokerConnections;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that break, coordinators that move, threads that are interrupted, producers that are closed. */
@Timeout(60)
@WithKafka
class OffsetConnectionsTest {

    /** Ways to lose a request or its answer. */
    enum Loss {
        CLOSED_BEFORE_HANDLING,
        CLOSED_AFTER_HANDLING;

        FaultRule of(Fault fault) {
            return switch (this) {
                case CLOSED_BEFORE_HANDLING -> fault.closeBeforeHandling();
                case CLOSED_AFTER_HANDLING -> fault.closeAfterHandling();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLostConnectionIsMadeAgain(Loss loss, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            FaultRule lost = loss.of(cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT));
            fixture.commit(6, IN, OTHER);

            assertThat(lost.hits()).isOne();
            assertThat(fixture.versions()).containsExactly(6, 6, 6);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ApiKeys.class,
            names = {"METADATA", "FIND_COORDINATOR", "API_VERSIONS"})
    void soItIsWhileSomethingIsAskedFor(ApiKeys question, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults().on(question).clientId("producer-id").closeBeforeHandling();

            fixture.commit(5, IN);
        }
    }

    /** Nobody looks at a connection between two calls; what has become of it costs the next one no attempt. */
    @Test
    void aConnectionThatWasClosedBetweenTwoCallsIsMadeAgain(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            cluster.stopNode(0);
            cluster.startNode(0);
            fixture.commit(6, IN);

            assertThat(fixture.versions()).containsExactly(6, 6);
            assertThat(fixture.retries()).isEmpty();
        }
    }

    /** A broker answers the requests of a connection in turn: what comes after the lost one goes over another. */
    @ParameterizedTest
    @EnumSource(
            value = ApiKeys.class,
            names = {"METADATA", "FIND_COORDINATOR", "TXN_OFFSET_COMMIT"})
    void whatIsNotAnsweredIsNotInTheWayOfWhatComesAfter(ApiKeys key, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            FaultRule lost = cluster.faults().on(key).clientId("producer-id").dropBeforeHandling();
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(lost.hits()).isOne();
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions()).containsOnlyKeys(IN);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    @Test
    void aConnectionThatIsNotMadeInTheTimeOfACallIsNotInTheWayOfWhatComesAfter(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(2))) {
            FaultRule lost = cluster.faults()
                    .on(ApiKeys.API_VERSIONS)
                    .clientId("producer-id")
                    .dropBeforeHandling();
            Transaction<String, String> transaction = fixture.begin();
            refusal(transaction, IN);

            assertThat(lost.hits()).isOne();
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** What was given up may still arrive, in the middle of the next transaction. */
    @Test
    void aRequestThatComesLateDoesNotTouchTheNextTransaction(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            fixture.commit(5, IN);
            FaultRule held = cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).hold();
            Transaction<String, String> late = fixture.begin();
            refusal(late, OTHER);
            late.abort().orElseThrow();
            Transaction<String, String> next = fixture.begin();
            send(next, IN).orElseThrow();
            held.release();
            next.commit().orElseThrow();

            assertThat(fixture.committed(OTHER)).isEqualTo(-1);
        }
    }

    @Test
    @WithKafka(nodes = 3)
    void theCoordinatorMovesBetweenTwoTransactionsAndWithinOne(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            int coordinator = cluster.leader(cluster.groupPartition(OffsetsFixture.GROUP));
            cluster.moveGroupCoordinator(OffsetsFixture.GROUP, (coordinator + 1) % 3);
            fixture.commit(6, IN);

            FaultRule held = cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).hold();
            CompletableFuture<Void> moved = CompletableFuture.runAsync(() -> {
                held.awaitHit();
                cluster.moveGroupCoordinator(OffsetsFixture.GROUP, (coordinator + 2) % 3);
                held.release();
            });
            fixture.commit(7, IN);
            moved.join();
        }
    }

    @Test
    @WithKafka(nodes = 3)
    void theCoordinatorIsLostAndAnotherOneTakesOver(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            int coordinator = cluster.leader(cluster.groupPartition(OffsetsFixture.GROUP));
            cluster.moveTransactionCoordinator("id", (coordinator + 1) % 3);
            cluster.stopNode(coordinator);
            fixture.commit(6, IN);
        }
    }

    @Test
    void anInterruptDoesNotEndTheCallAndIsKept(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            FaultRule held = cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).hold();
            Thread owner = Thread.currentThread();
            CompletableFuture<Void> interrupted = CompletableFuture.runAsync(() -> {
                held.awaitHit();
                owner.interrupt();
                held.release();
            });
            Transaction<String, String> transaction = fixture.begin();
            TxnResult<?> result = send(transaction, IN);
            boolean flag = Thread.interrupted();
            interrupted.join();

            assertThat(result.isSuccess()).isTrue();
            assertThat(flag).isTrue();
            transaction.commit().orElseThrow();
        }
    }

    /**
     * The call ends by itself at its deadline: an interrupt from the guard of the client's calls would be one too many.
     */
    @Test
    void anInterruptIsKeptAlsoIfTheDeadlinePasses(ReferenceCluster cluster) {
        Duration limit = Duration.ofSeconds(1);
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, limit)) {
            cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).answerWith(Errors.CONCURRENT_TRANSACTIONS);
            fixture.whenRetried(() -> Interrupts.during(limit.plusMillis(200)));
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);
            boolean flag = Thread.interrupted();

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(flag).isTrue();
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** Whoever waits is told, and nothing is left running. */
    @Test
    void aCloseEndsTheCall(ReferenceCluster cluster) {
        Map<String, Object> patient = Map.of("max.block.ms", 600_000);
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofMinutes(10), patient)) {
            fixture.commit(5, IN);
            FaultRule held = cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).hold();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                held.awaitHit();
                fixture.producer.close();
            });
            TxnError error = refusal(fixture.begin(), IN);
            closed.join();

            assertThat(error.action()).isEqualTo(Action.RECREATE);
            assertThat(error.message()).contains("closed");
            assertThat(fixture.retries()).isEmpty();
            Awaitility.await().until(() -> networkThreads() == 0);
        }
    }

    /** The longest time that the client takes, which means never. */
    @Test
    void whatIsNeverIdleForTooLongIsRemembered(ReferenceCluster cluster) {
        try (OffsetsFixture fixture =
                new OffsetsFixture(cluster, Duration.ofSeconds(10), Map.of("metadata.max.idle.ms", Long.MAX_VALUE))) {
            fixture.commit(5, IN);
            fixture.commit(6, IN);
            assertThat(networkThreads()).isOne();
        }
    }

    @Test
    void thereIsOneThreadFromTheFirstOffsetsToTheClose(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.begin().commit().orElseThrow();
            assertThat(networkThreads()).isZero();
            fixture.commit(5, IN);
            fixture.commit(6, IN);
            assertThat(networkThreads()).isOne();
            fixture.producer.close();
            assertThat(networkThreads()).isZero();
        }
    }

    private static long networkThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(BrokerConnections.THREAD + "producer-id"))
                .count();
    }
}
