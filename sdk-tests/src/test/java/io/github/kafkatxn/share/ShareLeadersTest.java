package io.github.kafkatxn.share;

import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.AVAILABLE;
import static io.github.kafkatxn.share.ShareWork.GROUP;
import static io.github.kafkatxn.share.ShareWork.ID;
import static io.github.kafkatxn.share.ShareWork.IN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.internal.wire.BrokerConnections;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.wire.Interrupts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leaders that move or go, answers that get lost, calls that are ended (C38): each acknowledgement counts once. */
@Timeout(60)
class ShareLeadersTest {

    /** Ways to lose a request or its answer. */
    enum Loss {
        CLOSED_BEFORE_HANDLING,
        CLOSED_AFTER_HANDLING,
        DROPPED_BEFORE_HANDLING,
        DROPPED_AFTER_HANDLING;

        FaultRule of(Fault fault) {
            return switch (this) {
                case CLOSED_BEFORE_HANDLING -> fault.closeBeforeHandling();
                case CLOSED_AFTER_HANDLING -> fault.closeAfterHandling();
                case DROPPED_BEFORE_HANDLING -> fault.dropBeforeHandling();
                case DROPPED_AFTER_HANDLING -> fault.dropAfterHandling();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLostIsSentAgainAndCountsOnce(Loss loss) {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            FaultRule lost = loss.of(work.fault());
            Transaction<String, String> transaction = work.outputsOf(batch);
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(lost.hits()).isOne();
            assertThat(work.requests())
                    .hasSizeGreaterThan(batch.acknowledgements().size());
            assertThat(work.settled(GROUP, IN)).isEmpty();
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** The repeat meets the request whose answer was lost, which still works on the records. */
    @Test
    void aRepeatThatComesTooEarlyIsNotTakenForALockThatHasRunOut() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            work.fault().closeAfterHandling();
            FaultRule early = work.fault().answerWith(Errors.INVALID_RECORD_STATE);
            Transaction<String, String> transaction = work.outputsOf(batch);
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(early.hits()).isOne();
            assertThat(work.settled(GROUP, IN)).isEmpty();
        }
    }

    /** Not for ever: it may also be true. */
    @Test
    void aLockThatHasRunOutBehindALostAnswerIsToldInTheEnd() {
        try (ShareWork work = new ShareWork(Duration.ofMinutes(10));
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule fetches = work.expire(worker, IN, Duration.ofSeconds(31));
            work.fault().closeBeforeHandling();
            Transaction<String, String> transaction = work.outputsOf(batch);

            assertThat(worker.send(transaction, batch))
                    .get()
                    .satisfies(error ->
                            assertThat(error.partitions().get(IN)).isInstanceOf(InvalidRecordStateException.class));
            work.assertAbortsAndGoesOn(transaction);
            fetches.release();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ApiKeys.class,
            names = {"METADATA", "API_VERSIONS"})
    void soItIsWhileSomethingIsAskedFor(ApiKeys question) {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule lost = work.cluster
                    .faults()
                    .on(question)
                    .clientId("producer-" + ID)
                    .times(2)
                    .closeBeforeHandling();
            Transaction<String, String> transaction = work.begin();
            assertThat(worker.send(transaction, batch)).isEmpty();
            assertThat(lost.hits()).isEqualTo(2);
            transaction.commit().orElseThrow();
        }
    }

    /** The next leader has not got the lock: that is told, and nothing of it is committed. */
    @Test
    void theLeaderMovesBeforeAnythingIsStaged() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> transaction = work.outputsOf(batch);
            work.cluster.moveLeader(IN, 1);

            assertThat(worker.send(transaction, batch))
                    .get()
                    .satisfies(error ->
                            assertThat(error.partitions().get(IN)).isInstanceOf(InvalidRecordStateException.class));
            work.assertAbortsAndGoesOn(transaction);
        }
    }

    /** Who moves, once the acknowledgements are staged. */
    enum Role {
        SHARE_PARTITION,
        STATE_PARTITION,
        TRANSACTION_COORDINATOR
    }

    @ParameterizedTest
    @EnumSource
    void somebodyMovesOnceTheyAreStaged(Role role) {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> transaction = work.outputsOf(batch);
            assertThat(worker.send(transaction, batch)).isEmpty();
            TopicPartition partition = switch (role) {
                case SHARE_PARTITION -> IN;
                case STATE_PARTITION -> work.cluster.sharePartition(GROUP, IN);
                case TRANSACTION_COORDINATOR -> work.cluster.transactionPartition(ID);
            };
            work.cluster.moveLeader(partition, (work.cluster.leader(partition) + 1) % 3);
            // Staged already, where it is led now as well.
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).doesNotContain(ACQUIRED, AVAILABLE);
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** The first copy is answered by a leader that is one no more, the second by the next one. */
    @Test
    void theLeaderMovesWhileItIsAsked() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            FaultRule answered = work.fault().holdAnswer();
            CompletableFuture<Void> moved = CompletableFuture.runAsync(() -> {
                answered.awaitHit();
                work.cluster.stopNode(0);
            });
            Transaction<String, String> transaction = work.outputsOf(batch);
            Optional<TxnError> error = worker.send(transaction, batch);
            moved.join();
            assertThat(error).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).doesNotContain(ACQUIRED, AVAILABLE);
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** What was given up may still arrive, in the middle of the next transaction. */
    @Test
    void aRequestThatComesLateDoesNotTouchTheNextTransaction() {
        try (ShareWork work = new ShareWork(Duration.ofSeconds(1));
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule held = work.fault().everyTime().hold();
            Transaction<String, String> late = work.begin();
            assertThat(worker.send(late, batch))
                    .get()
                    .satisfies(error -> assertThat(error.partitions()).containsOnlyKeys(IN));
            late.abort().orElseThrow();
            Transaction<String, String> next = work.begin();
            ShareWork.send(next, ShareWork.OUT, "next");
            held.remove();
            held.release();
            Awaitility.await()
                    .until(() -> work.cluster
                                    .requests()
                                    .on(ShareWork.TXN_SHARE_ACKNOWLEDGE)
                                    .answered()
                                    .count()
                            > 0);
            next.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).startsWith(ACQUIRED);
        }
    }

    @Test
    void anInterruptDoesNotEndTheCallAndIsKept() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule held = work.fault().hold();
            Thread owner = Thread.currentThread();
            CompletableFuture<Void> interrupted = CompletableFuture.runAsync(() -> {
                held.awaitHit();
                owner.interrupt();
                held.release();
            });
            Transaction<String, String> transaction = work.begin();
            Optional<TxnError> error = worker.send(transaction, batch);
            boolean flag = Thread.interrupted();
            interrupted.join();

            assertThat(error).isEmpty();
            assertThat(flag).isTrue();
            assertThat(work.requests()).hasSize(1);
            transaction.commit().orElseThrow();
        }
    }

    /**
     * The call ends by itself at its deadline: an interrupt from the guard of the client's calls would be one too many.
     */
    @Test
    void anInterruptIsKeptAlsoIfTheDeadlinePasses() {
        Duration limit = Duration.ofSeconds(2);
        try (ShareWork work = new ShareWork(limit);
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            work.fault().answerWith(Errors.CONCURRENT_TRANSACTIONS);
            work.whenRetried(() -> Interrupts.during(limit.plusMillis(200)));
            Transaction<String, String> transaction = work.begin();
            Optional<TxnError> error = worker.send(transaction, batch);
            boolean flag = Thread.interrupted();

            assertThat(error).get().extracting(TxnError::action).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(flag).isTrue();
            work.assertAbortsAndGoesOn(transaction);
        }
    }

    /** Whoever waits is told at once, not when the request times out, and nothing is left running. */
    @Test
    void aCloseEndsTheCall() {
        try (ShareWork work = new ShareWork(Duration.ofMinutes(10));
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule held = work.fault().everyTime().hold();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                held.awaitHit();
                work.producer.close();
            });
            Optional<TxnError> error = worker.send(work.begin(), batch);
            closed.join();
            held.remove();

            assertThat(error).get().satisfies(each -> {
                assertThat(each.action()).isEqualTo(Action.RECREATE);
                assertThat(each.cause()).hasMessageContaining("the producer is closed");
            });
            Awaitility.await()
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().equals(BrokerConnections.THREAD + "producer-" + ID)));
        }
    }
}
