package io.github.kafkatxn.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * The requests of a transactional producer, sent by hand in any version over one connection. What a method answers is
 * the answer's error; CONCURRENT_TRANSACTIONS is an answer as any other, but for the methods that say they wait.
 */
final class TransactionClient implements AutoCloseable {
    private static final int PATIENCE_MS = 10_000;

    private final RawClient client;

    /** A producer id, its epoch and the error that came with them. */
    record Identity(Errors error, long producerId, short epoch) {
        static Identity of(Errors error, long producerId, int epoch) {
            return new Identity(error, producerId, (short) epoch);
        }

        /** {@return the same producer with another epoch} */
        Identity at(int other) {
            return of(error, producerId, other);
        }

        /** {@return another producer with the same epoch} */
        Identity with(long other) {
            return of(error, other, epoch);
        }
    }

    /** The end of a partition, and how far it is decided. */
    record Ends(long highWatermark, long lastStableOffset) {}

    /** A batch as read_committed consumers get it. */
    record Batch(long offset, int epoch, boolean control) {}

    private TransactionClient(RawClient client) {
        this.client = client;
    }

    /** Connects to one node. */
    static TransactionClient of(ReferenceCluster cluster, int node) {
        try {
            return new TransactionClient(new RawClient(cluster, node));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits no longer than that for an answer from now on. */
    TransactionClient impatient(Duration patience) {
        try {
            client.waitFor(patience);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    <A extends ApiMessage> A send(int version, ApiMessage request, Class<A> type) {
        try {
            return client.send(request, version, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks again until the answer is another one. */
    static <A> A waiting(Supplier<A> ask, Predicate<A> tooEarly) {
        long limit = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        A answer = ask.get();
        while (tooEarly.test(answer)) {
            if (System.nanoTime() > limit) {
                throw new AssertionError("still " + answer + " after " + PATIENCE_MS + " ms");
            }
            Thread.onSpinWait();
            answer = ask.get();
        }
        return answer;
    }

    static boolean isTooEarly(Errors error) {
        return error == Errors.CONCURRENT_TRANSACTIONS || error == Errors.COORDINATOR_LOAD_IN_PROGRESS;
    }

    Uuid createTopic(String name, int partitions) {
        return createTopic(name, partitions, 1);
    }

    Uuid createTopic(String name, int partitions, int replicas) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(PATIENCE_MS);
        request.topics()
                .add(new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) replicas));
        return send(7, request, CreateTopicsResponseData.class)
                .topics()
                .find(name)
                .topicId();
    }

    /** Waits until there is a coordinator for it, and says which node it is. */
    int coordinator(String key, int type) {
        FindCoordinatorRequestData request =
                new FindCoordinatorRequestData().setKey(key).setKeyType((byte) type);
        return waiting(() -> send(2, request, FindCoordinatorResponseData.class), answer -> answer.errorCode() != 0)
                .nodeId();
    }

    Identity init(int version, String id, int timeoutMs, long expectedId, int expectedEpoch) {
        InitProducerIdResponseData answer = send(
                version,
                TransactionMessages.init(id, timeoutMs, expectedId, expectedEpoch),
                InitProducerIdResponseData.class);
        return Identity.of(Errors.forCode(answer.errorCode()), answer.producerId(), answer.producerEpoch());
    }

    Identity init(String id, Identity expected) {
        return init(5, id, 60_000, expected.producerId(), expected.epoch());
    }

    /** Waits. */
    Identity initialised(String id, int timeoutMs) {
        return waiting(() -> init(5, id, timeoutMs, -1, -1), answer -> isTooEarly(answer.error()));
    }

    Identity end(int version, String id, Identity producer, boolean commit) {
        EndTxnResponseData answer = send(
                version,
                TransactionMessages.end(id, producer.producerId(), producer.epoch(), commit),
                EndTxnResponseData.class);
        return Identity.of(Errors.forCode(answer.errorCode()), answer.producerId(), answer.producerEpoch());
    }

    /** Waits. */
    Identity ended(int version, String id, Identity producer, boolean commit) {
        return waiting(() -> end(version, id, producer, commit), answer -> isTooEarly(answer.error()));
    }

    /** {@return the error of each partition, in the order of the request} */
    List<Errors> add(int version, String id, Identity producer, String topic, Integer... partitions) {
        AddPartitionsToTxnRequestData request =
                TransactionMessages.add(id, producer.producerId(), producer.epoch(), topic, partitions);
        return errors(
                send(version, request, AddPartitionsToTxnResponseData.class).resultsByTopicV3AndBelow(),
                topic,
                partitions);
    }

    private static List<Errors> errors(
            AddPartitionsToTxnTopicResultCollection answer, String topic, Integer... partitions) {
        return List.of(partitions).stream()
                .map(partition -> Errors.forCode(
                        answer.find(topic).resultsByPartition().find(partition).partitionErrorCode()))
                .toList();
    }

    /** One transactional record. The topic goes by its id from version 13 on. */
    Errors produce(int version, String id, Identity producer, String topic, Uuid topicId, int partition, int sequence) {
        TopicProduceData data = TransactionMessages.data(producer, partition, sequence, "x");
        return produce(version, id, version < 13 ? data.setName(topic) : data.setTopicId(topicId));
    }

    /** One transactional record, up to version 12. */
    Errors produce(int version, String id, Identity producer, TopicPartition partition, int sequence, String value) {
        return produce(
                version,
                id,
                TransactionMessages.data(producer, partition.partition(), sequence, value)
                        .setName(partition.topic()));
    }

    private Errors produce(int version, String id, TopicProduceData data) {
        ProduceResponseData answer =
                send(version, TransactionMessages.produce(id, data, PATIENCE_MS), ProduceResponseData.class);
        return Errors.forCode(
                answer.responses().iterator().next().partitionResponses().get(0).errorCode());
    }

    Errors addOffsets(String id, Identity producer, String group) {
        return Errors.forCode(
                send(3, TransactionMessages.addOffsets(id, producer, group), AddOffsetsToTxnResponseData.class)
                        .errorCode());
    }

    /** One offset, up to version 5, by somebody who is no member of the group. */
    Errors commitOffset(
            int version, String id, Identity producer, String group, TopicPartition partition, long offset) {
        TxnOffsetCommitRequestData request = TransactionMessages.commitOffset(id, producer, group, partition, offset);
        return Errors.forCode(send(version, request, TxnOffsetCommitResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    Errors mark(int version, Identity producer, MarkerFields fields, String topic, int partition) {
        WriteTxnMarkersRequestData request = TransactionMessages.mark(producer, fields, topic, partition);
        WriteTxnMarkersResponseData answer = send(version, request, WriteTxnMarkersResponseData.class);
        return Errors.forCode(
                answer.markers().get(0).topics().get(0).partitions().get(0).errorCode());
    }

    /** What a marker says beside its producer. */
    record MarkerFields(boolean commit, int coordinatorEpoch, int transactionVersion) {}

    String state(String id) {
        return describe(id).transactionState();
    }

    DescribeTransactionsResponseData.TransactionState describe(String id) {
        return send(
                        0,
                        new DescribeTransactionsRequestData().setTransactionalIds(List.of(id)),
                        DescribeTransactionsResponseData.class)
                .transactionStates()
                .get(0);
    }

    /** Waits until all markers of the id are written. */
    void settled(String id) {
        String last = waiting(() -> state(id), state -> state.startsWith("Prepare"));
        if (last.equals("Ongoing")) {
            throw new AssertionError(id + " has an open transaction");
        }
    }

    Ends ends(Uuid topicId, int partition) {
        FetchResponseData.PartitionData answer = fetch(topicId, partition, 0);
        return new Ends(answer.highWatermark(), answer.lastStableOffset());
    }

    /** {@return what a read_committed consumer gets from the beginning} */
    List<Batch> batches(Uuid topicId, int partition) {
        List<Batch> batches = new ArrayList<>();
        ((MemoryRecords) fetch(topicId, partition, 0).records())
                .batches()
                .forEach(batch ->
                        batches.add(new Batch(batch.baseOffset(), batch.producerEpoch(), batch.isControlBatch())));
        return batches;
    }

    FetchResponseData.PartitionData fetch(Uuid topicId, int partition, long from) {
        return send(13, TransactionMessages.fetch(topicId, partition, from), FetchResponseData.class)
                .responses()
                .get(0)
                .partitions()
                .get(0);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
