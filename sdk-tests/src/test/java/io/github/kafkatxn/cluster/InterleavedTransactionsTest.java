package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.MANY_BYTES;
import static io.github.kafkatxn.cluster.DataRequests.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.TransactionClient.Identity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario C40: A1 B1 A2, B commits, A aborts, A3, A commits, in one partition; read at every step, at both isolation
 * levels, from every offset, in answers with everything and in answers that end after one batch. Every batch has one
 * record, and so has A's second transaction. What share groups make of it is in the scenario files.
 */
@Timeout(60)
class InterleavedTransactionsTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final int ONE_BATCH = 1;

    private final ReferenceCluster cluster = ReferenceCluster.start();
    private final TransactionClient client = TransactionClient.of(cluster, 0);
    private final Uuid topicId = client.createTopic(PARTITION.topic(), 1);
    private final Identity a = initialised("a");
    private final Identity b = initialised("b");

    /** What there is after a step: {@code offset:value}, of committed transactions and of all. */
    private record Log(long highWatermark, long stableOffset, List<String> committed, List<String> all) {}

    @AfterEach
    void end() throws Exception {
        client.close();
        cluster.close();
    }

    @Test
    void isReadRightlyAtEveryStep() {
        write("a", a, 0, "A1");
        check(new Log(1, 0, List.of(), List.of("0:A1")));
        write("b", b, 0, "B1");
        check(new Log(2, 0, List.of(), List.of("0:A1", "1:B1")));
        write("a", a, 1, "A2");
        check(new Log(3, 0, List.of(), List.of("0:A1", "1:B1", "2:A2")));
        finish("b", b, true);
        check(new Log(4, 0, List.of(), List.of("0:A1", "1:B1", "2:A2")));
        finish("a", a, false);
        check(new Log(5, 5, List.of("1:B1"), List.of("0:A1", "1:B1", "2:A2")));
        write("a", a.at(1), 0, "A3");
        check(new Log(6, 5, List.of("1:B1"), List.of("0:A1", "1:B1", "2:A2", "5:A3")));
        finish("a", a.at(1), true);
        check(new Log(7, 7, List.of("1:B1", "5:A3"), List.of("0:A1", "1:B1", "2:A2", "5:A3")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"read_committed", "read_uncommitted"})
    void isReadRightlyByAConsumer(String level) {
        write("a", a, 0, "A1");
        write("b", b, 0, "B1");
        write("a", a, 1, "A2");
        finish("b", b, true);
        finish("a", a, false);
        write("a", a.at(1), 0, "A3");
        finish("a", a.at(1), true);
        List<String> expected =
                level.equals("read_committed") ? List.of("1:B1", "5:A3") : List.of("0:A1", "1:B1", "2:A2", "5:A3");

        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "isolation.level",
                level,
                "auto.offset.reset",
                "none",
                "fetch.max.wait.ms",
                10,
                "max.partition.fetch.bytes",
                ONE_BATCH);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(PARTITION));
            for (long from = 0; from <= 7; from++) {
                consumer.seek(PARTITION, from);
                List<String> values = new ArrayList<>();
                while (consumer.position(PARTITION) < 7) {
                    consumer.poll(Duration.ofSeconds(1))
                            .forEach(record -> values.add(record.offset() + ":" + record.value()));
                }
                assertThat(values).as("from %d", from).isEqualTo(from(from, expected));
            }
        }
    }

    private void check(Log log) {
        assertThat(latest(0)).isEqualTo(log.highWatermark());
        assertThat(latest(1)).isEqualTo(log.stableOffset());
        for (long from = 0; from <= log.highWatermark(); from++) {
            for (int bytes : new int[] {ONE_BATCH, MANY_BYTES}) {
                assertThat(committed(from, bytes, log))
                        .as("committed, after %s, from %d, %d bytes", log, from, bytes)
                        .isEqualTo(from(from, log.committed()));
                assertThat(all(from, bytes, log))
                        .as("all, after %s, from %d, %d bytes", log, from, bytes)
                        .isEqualTo(from(from, log.all()));
            }
        }
        for (int level : new int[] {0, 1}) {
            assertThat(fetch(log.highWatermark() + 1, MANY_BYTES, level).errorCode())
                    .isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());
        }
    }

    private List<String> committed(long offset, int bytes, Log log) {
        List<String> values = new ArrayList<>();
        long next = offset;
        while (next < log.stableOffset()) {
            PartitionData data = fetch(next, bytes, 1);
            assertThat(data.abortedTransactions())
                    .as("from %d: A1 and A2 are aborted, and their marker is at 4", next)
                    .isEqualTo(
                            next <= 4
                                    ? List.of(new AbortedTransaction()
                                            .setProducerId(a.producerId())
                                            .setFirstOffset(0))
                                    : List.of());
            assertThat(batches(data, bytes)).isNotEmpty();
            CommittedRead read = CommittedRead.of(data, next);
            read.records().forEach(record -> values.add(record.offset() + ":" + record.value()));
            next = read.next();
        }
        assertThat(batches(fetch(next, bytes, 1), bytes))
                .as("from %d, which is not before the last stable offset", next)
                .isEmpty();
        return values;
    }

    private List<String> all(long offset, int bytes, Log log) {
        List<String> values = new ArrayList<>();
        long next = offset;
        while (next < log.highWatermark()) {
            List<RecordBatch> batches = batches(fetch(next, bytes, 0), bytes);
            batches.stream().filter(batch -> !batch.isControlBatch()).forEach(batch -> addValues(batch, values));
            next = batches.get(batches.size() - 1).nextOffset();
        }
        assertThat(batches(fetch(next, bytes, 0), bytes)).isEmpty();
        return values;
    }

    private static List<RecordBatch> batches(PartitionData data, int bytes) {
        assertThat(data.errorCode()).isZero();
        List<RecordBatch> batches = new ArrayList<>();
        ((MemoryRecords) data.records()).batches().forEach(batches::add);
        if (bytes == ONE_BATCH) {
            assertThat(batches).hasSizeLessThanOrEqualTo(1);
        }
        return batches;
    }

    private static void addValues(RecordBatch batch, List<String> values) {
        batch.forEach(record ->
                values.add(record.offset() + ":" + new String(Utils.toArray(record.value()), StandardCharsets.UTF_8)));
    }

    private static List<String> from(long offset, List<String> values) {
        return values.stream()
                .filter(value -> Long.parseLong(value.substring(0, value.indexOf(':'))) >= offset)
                .toList();
    }

    private PartitionData fetch(long from, int bytes, int isolation) {
        FetchRequestData request =
                DataRequests.fetch(PARTITION.topic(), topicId, 0, from).setIsolationLevel((byte) isolation);
        request.topics().get(0).partitions().get(0).setPartitionMaxBytes(bytes);
        return only(client.send(18, request, FetchResponseData.class));
    }

    private long latest(int isolation) {
        return client.send(
                        8, DataRequests.listOffsets(PARTITION.topic(), 0, -1, isolation), ListOffsetsResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .offset();
    }

    private Identity initialised(String id) {
        client.coordinator(id, 1);
        return client.initialised(id, 60_000);
    }

    private void write(String id, Identity producer, int sequence, String value) {
        assertThat(client.produce(12, id, producer, PARTITION, sequence, value)).isEqualTo(Errors.NONE);
    }

    private void finish(String id, Identity producer, boolean commit) {
        assertThat(client.ended(5, id, producer, commit)).isEqualTo(producer.at(producer.epoch() + 1));
        client.settled(id);
    }
}
