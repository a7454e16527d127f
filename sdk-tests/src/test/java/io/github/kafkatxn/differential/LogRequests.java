package io.github.kafkatxn.differential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Requests to partition leaders. */
final class LogRequests {
    private static final int MANY_BYTES = 1_000_000;

    /** With times far apart a broker would put what follows into another segment, and a fetch ends with a segment. */
    private static final long NOW = System.currentTimeMillis();

    private LogRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("Produce", "id pid e topic stale p s n idempotent plain", LogRequests::produce),
                new Verb("Offsets", "topic p", LogRequests::offsets),
                new Verb("Fetch", "topic stale p from bytes wait uncommitted", LogRequests::fetch),
                new Verb("FetchEach", "topic p bytes uncommitted", LogRequests::fetchEach));
    }

    /**
     * {@code Produce v12 p0 e0 s0 n1}: n records in one batch for each partition; {@code idempotent}, {@code plain}.
     */
    private static String produce(Step step, Names names, Wire wire) throws IOException {
        boolean transactional = !step.has("idempotent") && !step.has("plain");
        List<PartitionProduceData> partitions = step.partitions().stream()
                .map(partition -> new PartitionProduceData().setIndex(partition).setRecords(records(step, names)))
                .toList();
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(10_000)
                .setTransactionalId(transactional ? names.transactionalId(step) : null);
        request.topicData()
                .add(new TopicProduceData()
                        .setName(names.topic(step))
                        .setTopicId(names.topicId(step))
                        .setPartitionData(partitions));
        Map<Integer, String> words = new TreeMap<>();
        wire.ask(request, step.version(), ProduceResponseData.class)
                .responses()
                .forEach(topic -> topic.partitionResponses()
                        .forEach(answer -> words.put(
                                answer.index(),
                                Errors.forCode(answer.errorCode())
                                        + (answer.errorCode() == 0 ? " @" + answer.baseOffset() : ""))));
        return Words.of(words);
    }

    private static MemoryRecords records(Step step, Names names) {
        SimpleRecord[] records = IntStream.range(0, step.number("n", 1))
                .mapToObj(i -> new SimpleRecord(NOW + i, "value".getBytes(StandardCharsets.UTF_8)))
                .toArray(SimpleRecord[]::new);
        if (step.has("plain")) {
            return MemoryRecords.withRecords(Compression.NONE, records);
        }
        long producerId = names.producerId(step);
        short epoch = names.epoch(step);
        int sequence = step.number("s", 0);
        return step.has("idempotent")
                ? MemoryRecords.withIdempotentRecords(Compression.NONE, producerId, epoch, sequence, records)
                : MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, epoch, sequence, records);
    }

    /** {@code Offsets v8 p0}: high watermark and last stable offset, from ListOffsets. */
    private static String offsets(Step step, Names names, Wire wire) throws IOException {
        ListOffsetsPartitionResponse high = latest(step, names, wire, 0);
        ListOffsetsPartitionResponse stable = latest(step, names, wire, 1);
        String error = Errors.forCode(high.errorCode()).name();
        return high.errorCode() == 0 ? error + " hw=" + high.offset() + " lso=" + stable.offset() : error;
    }

    private static ListOffsetsPartitionResponse latest(Step step, Names names, Wire wire, int isolation)
            throws IOException {
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setIsolationLevel((byte) isolation)
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(names.topic(step))
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(step.partitions().get(0))
                                .setTimestamp(-1)))));
        return wire.ask(request, step.version(), ListOffsetsResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    /**
     * {@code Fetch v12 p0 from=0}, read_committed unless {@code uncommitted}: batches and aborted transactions. With
     * {@code wait} it waits so many milliseconds for something to read.
     */
    private static String fetch(Step step, Names names, Wire wire) throws IOException {
        FetchResponseData answer = fetch(step, step.number("from", 0), names, wire);
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        return partition(only(answer), names);
    }

    /**
     * {@code FetchEach v12 p0 bytes=100}: the same from each offset, up to the one behind the high watermark, and how
     * many bytes came, which is more than the batches that came whole where the last one is cut.
     */
    private static String fetchEach(Step step, Names names, Wire wire) throws IOException {
        StringBuilder words = new StringBuilder();
        long end = only(fetch(step, 0, names, wire)).highWatermark() + 1;
        for (long from = 0; from <= end; from++) {
            PartitionData data = only(fetch(step, from, names, wire));
            words.append(from == 0 ? "" : " | ").append("from=").append(from).append(' ');
            words.append(partition(data, names)).append(" bytes=");
            words.append(data.records() instanceof MemoryRecords records ? records.sizeInBytes() : 0);
        }
        return words.toString();
    }

    private static FetchResponseData fetch(Step step, long from, Names names, Wire wire) throws IOException {
        int bytes = step.number("bytes", MANY_BYTES);
        FetchRequestData request = new FetchRequestData()
                .setMaxWaitMs(step.number("wait", 0))
                .setMinBytes(step.value("wait").isPresent() ? 1 : 0)
                .setMaxBytes(bytes)
                .setIsolationLevel((byte) (step.has("uncommitted") ? 0 : 1))
                .setTopics(List.of(new FetchTopic()
                        .setTopic(names.topic(step))
                        .setTopicId(names.topicId(step))
                        .setPartitions(List.of(new FetchPartition()
                                .setPartition(step.partitions().get(0))
                                .setFetchOffset(from)
                                .setPartitionMaxBytes(bytes)))));
        return wire.ask(request, step.version(), FetchResponseData.class);
    }

    private static PartitionData only(FetchResponseData answer) {
        return answer.responses().get(0).partitions().get(0);
    }

    private static String partition(PartitionData data, Names names) {
        StringBuilder words = new StringBuilder(Errors.forCode(data.errorCode()).name());
        words.append(" hw=").append(data.highWatermark()).append(" lso=").append(data.lastStableOffset());
        if (data.records() instanceof MemoryRecords records) {
            records.batches().forEach(batch -> words.append(' ').append(batch(batch, names)));
        }
        if (data.abortedTransactions() != null) {
            data.abortedTransactions()
                    .forEach(aborted -> words.append(" aborted:")
                            .append(names.producerName(aborted.producerId()))
                            .append('@')
                            .append(aborted.firstOffset()));
        }
        return words.toString();
    }

    private static String batch(RecordBatch batch, Names names) {
        String kind = batch.isControlBatch()
                ? ControlRecordType.parse(batch.iterator().next().key()).name()
                : batch.isTransactional() ? "s" + batch.baseSequence() : "plain";
        return batch.baseOffset() + ":" + names.producerName(batch.producerId()) + ":e" + batch.producerEpoch() + ":"
                + kind;
    }
}
