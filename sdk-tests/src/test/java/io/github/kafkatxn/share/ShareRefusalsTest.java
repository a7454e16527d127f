package io.github.kafkatxn.share;

import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static io.github.kafkatxn.share.ShareWork.GROUP;
import static io.github.kafkatxn.share.ShareWork.IN;
import static io.github.kafkatxn.share.ShareWork.IN_1;
import static io.github.kafkatxn.share.ShareWork.IN_2;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every refusal of acknowledgements comes to: nothing of the transaction is committed, and each partition is
 * named.
 */
@Timeout(60)
class ShareRefusalsTest {

    /** What a code comes to. */
    private record Meaning(Errors code, ErrorCategory category, Action action) {}

    private static final List<Meaning> REFUSALS = List.of(
            new Meaning(Errors.INVALID_RECORD_STATE, ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.STALE_MEMBER_EPOCH, ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.GROUP_ID_NOT_FOUND, ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.TRANSACTION_ABORTABLE, ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.UNKNOWN_MEMBER_ID, ErrorCategory.APPLICATION_RECOVERABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.UNKNOWN_SERVER_ERROR, ErrorCategory.APPLICATION_RECOVERABLE, Action.ABORT_AND_REPLAY),
            new Meaning(Errors.GROUP_AUTHORIZATION_FAILED, ErrorCategory.INVALID_CONFIGURATION, Action.STOP),
            new Meaning(Errors.TOPIC_AUTHORIZATION_FAILED, ErrorCategory.INVALID_CONFIGURATION, Action.STOP),
            new Meaning(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, ErrorCategory.INVALID_CONFIGURATION, Action.STOP),
            new Meaning(Errors.UNSUPPORTED_VERSION, ErrorCategory.INVALID_CONFIGURATION, Action.STOP),
            new Meaning(Errors.INVALID_PRODUCER_EPOCH, ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE),
            new Meaning(Errors.PRODUCER_FENCED, ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE),
            new Meaning(Errors.INVALID_PRODUCER_ID_MAPPING, ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE),
            new Meaning(Errors.INVALID_TXN_STATE, ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE));

    /** Refused for good, at the first answer; only one of three partitions is. The same records, again and again. */
    @Test
    void aPartitionIsRefused() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            Worker.Batch batch = threePartitions(work, worker);
            ShareAcknowledgements all = worker.together(batch, AcknowledgeType.ACCEPT);
            for (Meaning refusal : REFUSALS) {
                work.cluster.requests().clear();
                work.fault().topic("in").partition(1).answerWith(refusal.code());
                Transaction<String, String> transaction = work.outputsOf(batch);
                TxnError error = refusal(transaction, all, worker.member());

                assertThat(error.category()).as("%s", refusal).isEqualTo(refusal.category());
                assertThat(error.action()).as("%s", refusal).isEqualTo(refusal.action());
                assertThat(error.partitions()).as("%s", refusal).containsOnlyKeys(IN_1);
                assertThat(error.partitions().get(IN_1))
                        .isInstanceOf(refusal.code().exception().getClass());
                assertThat(transaction.failure()).contains(error);
                assertThat(work.requests().stream().filter(request -> request.node() == 1))
                        .as("%s", refusal)
                        .hasSize(1);
                assertThat(transaction.commit().error()).contains(error);
                transaction.abort().orElseThrow();
            }
            assertThat(work.retries()).isEmpty();
            assertThat(work.outputs()).isEmpty();
        }
    }

    /** What passes is sent again, and only that. */
    @Test
    void whatPassesIsSentAgain() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            Worker.Batch batch = threePartitions(work, worker);
            ShareAcknowledgements all = worker.together(batch, AcknowledgeType.ACCEPT);
            for (Errors code : List.of(
                    Errors.NOT_LEADER_OR_FOLLOWER,
                    Errors.UNKNOWN_TOPIC_ID,
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    Errors.CONCURRENT_TRANSACTIONS,
                    Errors.COORDINATOR_LOAD_IN_PROGRESS,
                    Errors.COORDINATOR_NOT_AVAILABLE,
                    Errors.NOT_COORDINATOR,
                    Errors.REQUEST_TIMED_OUT)) {
                work.cluster.requests().clear();
                work.retries().clear();
                work.fault().topic("in").partition(1).times(2).answerWith(code);
                Transaction<String, String> transaction = work.outputsOf(batch);
                transaction
                        .sendShareAcknowledgementsToTransaction(all, worker.member())
                        .orElseThrow();
                transaction.abort().orElseThrow();
                work.settled(GROUP, IN_1);

                assertThat(work.requests()).as("%s", code).hasSize(5);
                assertThat(work.retries())
                        .hasSize(2)
                        .allSatisfy(cause ->
                                assertThat(cause).isInstanceOf(code.exception().getClass()));
            }
        }
    }

    @Test
    void whatDoesNotPassInTimeIsNamed() {
        try (ShareWork work = new ShareWork(Duration.ofSeconds(2));
                Worker worker = work.worker(GROUP)) {
            Worker.Batch batch = threePartitions(work, worker);
            ShareAcknowledgements all = worker.together(batch, AcknowledgeType.ACCEPT);
            work.fault().topic("in").partition(1).everyTime().answerWith(Errors.NOT_LEADER_OR_FOLLOWER);
            Transaction<String, String> transaction = work.outputsOf(batch);
            TxnError error = refusal(transaction, all, worker.member());

            assertThat(error.cause()).isInstanceOf(TimeoutException.class).hasMessageContaining("in-1");
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions()).containsOnlyKeys(IN_1);
            work.assertAbortsAndGoesOn(transaction);
        }
    }

    /** C35: the lock of one partition's records has run out; nothing of the batch may be committed. */
    @Test
    void aLockThatHasRunOutIsToldForItsPartition() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch late = worker.take(2);
            work.clock.advance(Duration.ofSeconds(20));
            work.produce(IN_1, 2);
            Worker.Batch inTime = worker.take(2);
            FaultRule fetches = work.expire(worker, IN, Duration.ofSeconds(11));
            late.records().addAll(inTime.records());
            late.acknowledgements().addAll(inTime.acknowledgements());
            ShareAcknowledgements all = worker.together(late, AcknowledgeType.ACCEPT);
            Transaction<String, String> transaction = work.outputsOf(late);
            TxnError error = refusal(transaction, all, worker.member());

            assertThat(error.category()).isEqualTo(ErrorCategory.ABORTABLE);
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions()).containsOnlyKeys(IN);
            assertThat(error.partitions().get(IN)).isInstanceOf(InvalidRecordStateException.class);
            work.assertAbortsAndGoesOn(transaction);
            fetches.release();
        }
    }

    /** While they are staged their lock stands still; with an abort it goes on, and may then run out. */
    @Test
    void aLockStandsStillWhileItsRecordIsStaged() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            work.clock.advance(Duration.ofSeconds(20));
            Transaction<String, String> aborted = work.begin();
            assertThat(worker.send(aborted, batch)).isEmpty();
            work.clock.advance(Duration.ofSeconds(20));
            assertThat(work.states(GROUP, IN)).startsWith(TX_PENDING);
            aborted.abort().orElseThrow();
            assertThat(work.settled(GROUP, IN)).startsWith(ACQUIRED);

            work.clock.advance(Duration.ofSeconds(5));
            Transaction<String, String> again = work.begin();
            assertThat(worker.send(again, batch)).isEmpty();
            again.abort().orElseThrow();
            work.settled(GROUP, IN);
            FaultRule fetches = work.expire(worker, IN, Duration.ofSeconds(6));
            Transaction<String, String> late = work.begin();
            assertThat(worker.send(late, batch))
                    .get()
                    .satisfies(error ->
                            assertThat(error.partitions().get(IN)).isInstanceOf(InvalidRecordStateException.class));
            fetches.release();
        }
    }

    @Test
    void aTransactionThatTimesOutGivesTheRecordsBack() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            Transaction<String, String> late = work.outputsOf(batch);
            assertThat(worker.send(late, batch)).isEmpty();
            work.clock.advance(Duration.ofSeconds(61));
            assertThat(work.settled(GROUP, IN)).startsWith(ACQUIRED);
            assertThat(late.commit().isSuccess()).isFalse();
            try (TransactionalProducer<String, String> next =
                    work.producer.recreate().orElseThrow()) {
                Transaction<String, String> transaction =
                        next.beginTransaction().orElseThrow();
                assertThat(worker.send(transaction, batch)).isEmpty();
                transaction.commit().orElseThrow();
            }

            assertThat(work.settled(GROUP, IN)).isEmpty();
            assertThat(work.outputs()).isEmpty();
        }
    }

    @Test
    void aMemberThatIsNotTheOneItWasIsRefused() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            ShareGroupMetadata member = worker.member();
            Transaction<String, String> stale = work.outputsOf(batch);
            TxnError error = refusal(
                    stale,
                    batch.acknowledgements().get(0),
                    new ShareGroupMetadata(GROUP, member.memberId(), member.memberEpoch() - 1));
            assertThat(error.category()).isEqualTo(ErrorCategory.ABORTABLE);
            assertThat(error.partitions().get(IN)).isInstanceOf(StaleMemberEpochException.class);
            stale.abort().orElseThrow();

            Transaction<String, String> unknown = work.outputsOf(batch);
            error = refusal(
                    unknown, batch.acknowledgements().get(0), new ShareGroupMetadata(GROUP, "somebody else", 1));
            assertThat(error.partitions().get(IN)).isInstanceOf(UnknownMemberIdException.class);
            work.assertAbortsAndGoesOn(unknown);
        }
    }

    @Test
    void aFencedProducerStagesNothing() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            Transaction<String, String> fenced = work.begin();
            try (TransactionalProducer<String, String> other = work.producer(Duration.ofSeconds(20))) {
                assertThat(worker.send(fenced, batch))
                        .get()
                        .extracting(TxnError::action)
                        .isEqualTo(Action.RECREATE);
                assertThat(work.states(GROUP, IN)).startsWith(ACQUIRED);
                Transaction<String, String> transaction =
                        other.beginTransaction().orElseThrow();
                assertThat(worker.send(transaction, batch)).isEmpty();
                transaction.commit().orElseThrow();
            }
            assertThat(work.settled(GROUP, IN)).isEmpty();
        }
    }

    @Test
    void aTopicThatIsAnotherOneIsToldAtOnce() {
        try (ShareWork work = new ShareWork(Duration.ofMinutes(10));
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            ShareWork.get(work.admin.deleteTopics(List.of("in")).all());
            ShareWork.get(work.admin
                    .createTopics(List.of(new NewTopic("in", 3, (short) 1)))
                    .all());
            Transaction<String, String> transaction = work.outputsOf(batch);

            assertThat(worker.send(transaction, batch)).get().satisfies(error -> {
                assertThat(error.message()).contains("topic recreated");
                assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            });
            work.assertAbortsAndGoesOn(transaction);
        }
    }

    @Test
    void thereIsNothingToDoWithoutAcknowledgements() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            worker.take(1);
            ShareAcknowledgements none =
                    worker.consumer().acknowledgementsForTransaction().orElseThrow();
            Transaction<String, String> transaction = work.begin();
            assertThat(none.isEmpty()).isTrue();
            transaction
                    .sendShareAcknowledgementsToTransaction(none, worker.member())
                    .orElseThrow();
            assertThat(work.requests()).isEmpty();
            transaction.commit().orElseThrow();
            assertThat(transaction
                            .sendShareAcknowledgementsToTransaction(none, worker.member())
                            .error())
                    .get()
                    .satisfies(error -> assertThat(error.message()).contains("has ended"));
        }
    }

    private static Worker.Batch threePartitions(ShareWork work, Worker worker) {
        work.produce(IN, 1);
        work.produce(IN_1, 1);
        work.produce(IN_2, 1);
        return worker.take(3);
    }

    private static TxnError refusal(
            Transaction<String, String> transaction,
            ShareAcknowledgements acknowledgements,
            ShareGroupMetadata member) {
        return transaction
                .sendShareAcknowledgementsToTransaction(acknowledgements, member)
                .error()
                .orElseThrow();
    }
}
