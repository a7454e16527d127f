package io.github.kafkatxn.share;

import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static io.github.kafkatxn.share.ShareWork.GROUP;
import static io.github.kafkatxn.share.ShareWork.ID;
import static io.github.kafkatxn.share.ShareWork.IN;
import static io.github.kafkatxn.share.ShareWork.IN_1;
import static io.github.kafkatxn.share.ShareWork.IN_2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.ShareRecord;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import io.github.kafkatxn.producer.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Acknowledgements of the real share consumer in transactions: what is done is done once, what is aborted comes again.
 */
@Timeout(60)
class ShareTransactionsTest {

    @Test
    void outputAndAcknowledgementsAreCommittedTogether() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            work.produce(IN_1, 2);
            Worker.Batch batch = worker.take(4);
            Transaction<String, String> transaction = work.outputsOf(batch);
            assertThat(worker.send(transaction, batch)).isEmpty();
            assertThat(work.states(GROUP, IN)).contains(TX_PENDING).doesNotContain(ACQUIRED);
            assertThat(work.outputs()).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).isEmpty();
            assertThat(work.settled(GROUP, IN_1)).isEmpty();
            assertThat(work.outputs()).containsExactlyInAnyOrder("in-0/0", "in-0/1", "in-1/0", "in-1/1");
            assertThat(work.staged().stream().mapToInt(each -> each).sum()).isEqualTo(4);
            work.clock.advance(Duration.ofSeconds(31));
            assertThat(worker.poll(Duration.ofMillis(200))).isEmpty();
        }
    }

    /** The connections of this library's own log in as those of the producer do. */
    @Test
    void itIsTheSameWhereOneHasToLogIn() {
        try (ShareWork work = ShareWork.withLogin();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> transaction = work.outputsOf(batch);
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).isEmpty();
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** The client has nothing to end in such a transaction, as far as it knows. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionMayHaveNothingButAcknowledgements(boolean commit) {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> transaction = work.begin();
            assertThat(worker.send(transaction, batch)).isEmpty();
            (commit ? transaction.commit() : transaction.abort()).orElseThrow();

            List<ShareRecord.State> states = work.settled(GROUP, IN);
            if (commit) {
                assertThat(states).isEmpty();
            } else {
                assertThat(states).containsOnly(ACQUIRED);
            }
        }
    }

    @Test
    void severalMembersAndGroupsInOneTransaction() {
        try (ShareWork work = new ShareWork();
                Worker first = work.worker(GROUP);
                Worker second = work.worker(GROUP);
                Worker other = work.worker("others")) {
            Worker.Batch ofFirst = new Worker.Batch();
            Worker.Batch ofSecond = new Worker.Batch();
            int produced = 0;
            // Who gets what is up to the broker; in the end both have something.
            while (ofFirst.size() == 0 || ofSecond.size() == 0 || ofFirst.size() + ofSecond.size() < produced) {
                if (ofFirst.size() + ofSecond.size() == produced) {
                    work.produce(IN, 2);
                    work.produce(IN_1, 2);
                    produced += 4;
                }
                first.addTo(ofFirst, AcknowledgeType.ACCEPT);
                second.addTo(ofSecond, AcknowledgeType.ACCEPT);
            }
            Worker.Batch ofOther = other.take(produced);
            Transaction<String, String> transaction = work.begin();
            assertThat(first.send(transaction, ofFirst)).isEmpty();
            assertThat(second.send(transaction, ofSecond)).isEmpty();
            assertThat(other.send(transaction, ofOther)).isEmpty();
            transaction.commit().orElseThrow();

            for (String group : List.of(GROUP, "others")) {
                assertThat(work.settled(group, IN)).isEmpty();
                assertThat(work.settled(group, IN_1)).isEmpty();
            }
        }
    }

    @Test
    void afterAnAbortTheSameAcknowledgementsGoIntoTheNextTransaction() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> aborted = work.outputsOf(batch);
            assertThat(worker.send(aborted, batch)).isEmpty();
            aborted.abort().orElseThrow();
            assertThat(work.settled(GROUP, IN)).containsOnly(ACQUIRED);

            Transaction<String, String> next = work.outputsOf(batch);
            assertThat(worker.send(next, batch)).isEmpty();
            next.commit().orElseThrow();

            assertThat(work.settled(GROUP, IN)).isEmpty();
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** One part again, the other part for somebody else, at once. */
    @Test
    void afterAnAbortTheRecordsCanBeTakenBackAndAcknowledgedOtherwise() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> aborted = work.begin();
            assertThat(worker.send(aborted, batch)).isEmpty();
            aborted.abort().orElseThrow();
            work.settled(GROUP, IN);

            batch.acknowledgements().forEach(worker.consumer()::takeBack);
            assertThatThrownBy(() ->
                            worker.consumer().takeBack(batch.acknowledgements().get(0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("back already");
            ConsumerRecord<String, String> again = batch.records().get(0);
            Transaction<String, String> next = work.begin();
            next.sendShareAcknowledgementsToTransaction(
                            worker.acknowledged(List.of(again), AcknowledgeType.ACCEPT), worker.member())
                    .orElseThrow();
            next.commit().orElseThrow();
            worker.consumer().acknowledge(batch.records().get(1), AcknowledgeType.RELEASE);
            assertThat(worker.consumer().commitSync(Duration.ofSeconds(10)).values())
                    .isNotEmpty()
                    .allMatch(error -> error.isEmpty());

            Worker.Batch released = worker.take(1);
            assertThat(released.records()).singleElement().satisfies(record -> {
                assertThat(record.value()).isEqualTo("in-0/1");
                assertThat(record.deliveryCount()).contains((short) 2);
            });
        }
    }

    @Test
    void aLockThatIsRenewedGoesOn() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            work.clock.advance(Duration.ofSeconds(20));
            batch.acknowledgements().forEach(worker.consumer()::takeBack);
            worker.consumer().acknowledge(batch.records().get(0), AcknowledgeType.RENEW);
            assertThat(worker.consumer().acknowledgementsForTransaction().error())
                    .get()
                    .satisfies(error -> assertThat(error.message()).contains("renewed"));
            Map<?, Optional<KafkaException>> results = worker.consumer().commitSync(Duration.ofSeconds(10));
            assertThat(results.values()).isNotEmpty().allMatch(error -> error.isEmpty());
            batch = worker.take(1);
            work.clock.advance(Duration.ofSeconds(20));
            Transaction<String, String> transaction = work.begin();

            assertThat(worker.send(transaction, batch)).isEmpty();
        }
    }

    @Test
    void aLockThatIsNotRenewedRunsOut() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            work.clock.advance(Duration.ofSeconds(20));
            FaultRule fetches = work.expire(worker, IN, Duration.ofSeconds(20));
            Transaction<String, String> transaction = work.begin();

            assertThat(worker.send(transaction, batch)).isPresent();
            fetches.release();
        }
    }

    @Test
    void aWakeupEndsAPollAndNothingElse() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            worker.consumer().wakeup();
            assertThatThrownBy(() -> worker.poll(Duration.ofSeconds(30))).isInstanceOf(WakeupException.class);

            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            Transaction<String, String> transaction = work.begin();
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();
        }
    }

    @Test
    void theLeadersAreAskedSideBySide() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            work.produce(IN_1, 1);
            work.produce(IN_2, 1);
            Worker.Batch batch = worker.take(3);
            ShareAcknowledgements all = worker.together(batch, AcknowledgeType.ACCEPT);
            FaultRule held = work.fault().everyTime().hold();
            CompletableFuture<Void> together = CompletableFuture.runAsync(() -> {
                held.awaitHits(3);
                held.release();
            });
            Transaction<String, String> transaction = work.begin();
            transaction
                    .sendShareAcknowledgementsToTransaction(all, worker.member())
                    .orElseThrow();
            together.join();

            assertThat(work.requests().stream().map(LoggedRequest::node)).containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    /** Versions and leaders are asked for with the first transaction, and then no more. */
    @Test
    void thereIsOneRoundTripToALeader() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            for (int round = 0; round < 3; round++) {
                work.produce(IN, 2);
                work.cluster.requests().clear();
                Worker.Batch batch = worker.take(2);
                Transaction<String, String> transaction = work.begin();
                assertThat(worker.send(transaction, batch)).isEmpty();
                transaction.commit().orElseThrow();
            }

            assertThat(work.cluster.requests().onAny().fromClients().clientId("producer-" + ID).list().stream()
                            .map(LoggedRequest::api)
                            .filter(api -> !api.equals("EndTxn"))
                            .distinct())
                    .containsExactly(TxnShareAcknowledge.NAME);
        }
    }

    @Test
    void everythingOfARequestGoesOut() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(3);
            batch.acknowledgements().forEach(worker.consumer()::takeBack);
            worker.consumer().acknowledge(batch.records().get(0), AcknowledgeType.ACCEPT);
            worker.consumer().acknowledge(batch.records().get(1), AcknowledgeType.RELEASE);
            ShareAcknowledgements all = worker.acknowledged(batch.records().subList(2, 3), AcknowledgeType.REJECT);
            Transaction<String, String> transaction = work.begin();
            ShareGroupMetadata member = worker.member();
            transaction.sendShareAcknowledgementsToTransaction(all, member).orElseThrow();

            TxnShareAcknowledge.Request sent =
                    (TxnShareAcknowledge.Request) work.requests().get(0).request();
            assertThat(sent.transactionalId()).isEqualTo(ID);
            assertThat(sent.groupId()).isEqualTo(GROUP);
            assertThat(sent.memberId()).isEqualTo(member.memberId());
            assertThat(sent.memberEpoch()).isEqualTo(member.memberEpoch()).isPositive();
            assertThat(sent.topics()).singleElement().satisfies(topic -> {
                assertThat(topic.topicId())
                        .isEqualTo(all.batches().keySet().iterator().next().topicId());
                // The marker of the first input transaction lies between the records: a gap.
                assertThat(topic.partitions().get(0).batches().get(0).types())
                        .startsWith((byte) 1, (byte) 2, (byte) 0, (byte) 3);
            });
            assertThat(all.records()).isEqualTo(3);
        }
    }
}
