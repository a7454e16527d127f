package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.result.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What can go wrong for a processor of a share group where acknowledgements are part of the transaction (KIP-1289,
 * scenarios C35, C36 and C38): at the end each record is there once, and the group is done with it.
 */
class ShareProcessorFaultsTest extends ShareFaults {
    private static final int TXN_SHARE_ACKNOWLEDGE = 95;

    /** What leads or coordinates something that a transaction of a share group needs. */
    private enum Role {
        SHARE_PARTITION,
        SHARE_STATE,
        TRANSACTION,
        GROUP,
        OUTPUT
    }

    ShareProcessorFaultsTest() {
        super(3);
    }

    @ParameterizedTest
    @CsvSource({
        "TxnShareAcknowledge, false",
        "TxnShareAcknowledge, true",
        "EndTxn, false",
        "EndTxn, true",
        "Produce, false",
        "Produce, true",
        "ShareFetch, false",
        "ShareFetch, true",
        "WriteTxnMarkers, false",
        "WriteTxnMarkers, true"
    })
    void aConnectionIsLost(String api, boolean afterHandling) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 40);
        Fault second = on(api).onCall(2);
        FaultRule lost = afterHandling ? second.closeAfterHandling() : second.closeBeforeHandling();

        startShare(settings(pipe).maxRecordsPerTransaction(5), pipe.copy());

        assertAllDone(pipe);
        assertThat(lost.hits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommitIsInDoubt(boolean committed) {
        // With locks that last, so that it is not their end that keeps anything from being tried again.
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 20);
        Map<Long, Integer> transformed = new ConcurrentHashMap<>();
        ProcessorEvents events = startWithACommitInDoubt(pipe, committed, (record, outputs) -> {
            transformed.merge(record.offset(), 1, Integer::sum);
            pipe.copy().transform(record, outputs);
        });

        assertAllDone(pipe);
        assertThat(events.rebuilt()).isNotEmpty();
        if (committed) {
            // A broker may take what is done already for accepted, and then their outputs would be there twice.
            assertThat(transformed)
                    .as("what may have been committed is not tried again")
                    .containsEntry(0L, 1)
                    .containsEntry(9L, 1);
        }
    }

    @Test
    void anotherProducerTakesTheTransactionalIdInMidTransaction() {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = new ProcessorEvents();
        ProcessorSettings.Builder settings = settings(pipe).listener(events);
        String id = settings.build().transactionalId(0, 0);
        AtomicBoolean fenced = new AtomicBoolean();

        startShare(settings, (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (record.offset() == 7 && fenced.compareAndSet(false, true)) {
                Map<String, Object> config = new HashMap<>(target().adminConfig());
                config.put("transactional.id", id);
                try (var other = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
                    other.initTransactions();
                }
            }
        });

        assertAllDone(pipe);
        assertThat(events.rebuilt()).isNotEmpty();
        assertThat(events.rewinds()).isNotEmpty();
    }

    /** The record is somebody else's by then: what was made of it is not committed. */
    @Test
    void aTransformIsSlowerThanItsLock() {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        ProcessorEvents others = new ProcessorEvents();
        CountDownLatch began = new CountDownLatch(1);
        startShare(settings(pipe).instance("slow").listener(events), (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (began.getCount() > 0) {
                began.countDown();
                eventually("the other one does it").until(() -> others.processed() == 10);
            }
        });
        await(began);
        ShareProcessor other = startShare(settings(pipe).instance("other").listener(others), pipe.copy());

        eventually("the slow one is refused").until(() -> !events.rewinds().isEmpty());
        assertThat(events.rewinds().get(0).error().cause()).isInstanceOf(InvalidRecordStateException.class);
        assertThat(events.processed()).isZero();
        other.close();
        feed(pipe, 0, 10);
        eventually("it goes on with other records").until(() -> events.processed() == 10);
        assertAllDone(pipe);
    }

    @Test
    void locksAreRenewedWhileABatchTakesLong() {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 12);
        List<Boolean> renewedByTheLast = new CopyOnWriteArrayList<>();
        startShare(settings(pipe), (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (record.offset() < 11) {
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            } else {
                renewedByTheLast.add(cluster().requests().on(ApiKeys.SHARE_ACKNOWLEDGE).list().stream()
                        .anyMatch(each -> ((ShareAcknowledgeRequestData) each.request()).isRenewAck()));
            }
        });

        assertAllDone(pipe);
        assertThat(renewedByTheLast).startsWith(true);
    }

    /** The batch is not committed with locks that are not known to go on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void locksCannotBeRenewed(boolean refused) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 12);
        ProcessorEvents events = new ProcessorEvents();
        Fault renewal = cluster().faults().on(ApiKeys.SHARE_ACKNOWLEDGE).once();
        FaultRule failed = refused ? renewal.answerWith(Errors.INVALID_RECORD_STATE) : renewal.closeBeforeHandling();

        startShare(settings(pipe).listener(events), (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (failed.hits() == 0) {
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            }
        });

        failed.awaitHit();
        assertAllDone(pipe);
        assertThat(events.rewinds()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderMovesInMidBatch(Role role) {
        Pipe pipe = replicatedPipe(1);
        feed(pipe, 0, 20);
        AtomicBoolean moved = new AtomicBoolean();

        startShare(settings(pipe).maxRecordsPerTransaction(10), (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (record.offset() == 4 && moved.compareAndSet(false, true)) {
                TopicPartition partition = partition(role, pipe);
                cluster().moveLeader(partition, (cluster().leader(partition) + 1) % 3);
            }
        });

        assertAllDone(pipe);
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderIsStoppedInMidBatch(Role role) {
        Pipe pipe = replicatedPipe(1);
        feed(pipe, 0, 20);
        List<Integer> stopped = new ArrayList<>();
        CountDownLatch down = new CountDownLatch(1);

        startShare(settings(pipe).maxRecordsPerTransaction(10), (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (record.offset() == 4 && stopped.isEmpty()) {
                stopped.add(cluster().leader(partition(role, pipe)));
                cluster().stopNode(stopped.get(0));
                down.countDown();
            }
        });
        await(down);
        try {
            awaitOutputs(pipe);
        } finally {
            cluster().startNode(stopped.get(0));
        }

        assertAllDone(pipe);
    }

    @ParameterizedTest
    @EnumSource(names = {"FENCED_MEMBER_EPOCH", "UNKNOWN_MEMBER_ID"})
    void theMemberIsThrownOutOfTheGroup(Errors error) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        startShare(settings(pipe).listener(events), pipe.copy());
        awaitOutputs(pipe);
        FaultRule out = cluster()
                .faults()
                .on(ApiKeys.SHARE_GROUP_HEARTBEAT)
                .clientId(settings(pipe).build().transactionalId(0, 0).replaceAll("-0$", ""))
                .once()
                .answerWith(error);
        out.awaitHit();
        feed(pipe, 0, 10);

        assertAllDone(pipe);
    }

    /** Its records are refused, and what it sends meanwhile is aborted; those of other partitions go on. */
    @ParameterizedTest
    @EnumSource(names = {"INVALID_RECORD_STATE", "STALE_MEMBER_EPOCH", "UNKNOWN_MEMBER_ID", "CONCURRENT_TRANSACTIONS"})
    void anAcknowledgementIsRefused(Errors error) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = new ProcessorEvents();
        FaultRule refused = on("TxnShareAcknowledge").onCall(2).answerWith(error);

        startShare(
                settings(pipe).maxRecordsPerTransaction(10).listener(events).transactionListener(events), pipe.copy());

        assertAllDone(pipe);
        assertThat(refused.hits()).isEqualTo(1);
        if (error == Errors.CONCURRENT_TRANSACTIONS) {
            assertThat(events.retries()).contains(Operation.SEND_SHARE_ACKNOWLEDGEMENTS);
            assertThat(events.rewinds()).isEmpty();
        } else {
            assertThat(events.rewinds()).isNotEmpty();
        }
    }

    private Fault on(String api) {
        if (api.equals("TxnShareAcknowledge")) {
            return cluster().faults().on(TXN_SHARE_ACKNOWLEDGE);
        }
        return cluster()
                .faults()
                .on(Stream.of(ApiKeys.values())
                        .filter(key -> key.name.equals(api))
                        .findFirst()
                        .orElseThrow());
    }

    private TopicPartition partition(Role role, Pipe pipe) {
        return switch (role) {
            case SHARE_PARTITION -> pipe.partition(0);
            case SHARE_STATE -> cluster().sharePartition(pipe.group(), pipe.partition(0));
            case TRANSACTION ->
                cluster().transactionPartition(settings(pipe).build().transactionalId(0, 0));
            case GROUP -> cluster().groupPartition(pipe.group());
            case OUTPUT -> new TopicPartition(pipe.out(), 0);
        };
    }
}
