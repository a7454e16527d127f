package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.RowsToEvents;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The independent reader: a plain read_committed consumer over the events and the dead letters that uses nothing of the
 * library. Reads from the beginning on, and enters every record into the ledger.
 */
final class Verifier implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long JOIN_MILLIS = 10_000;

    private final String bootstrapServers;
    private final Topics topics;
    private final Ledger ledger;
    private final Signal signal;
    private final List<TopicPartition> partitions;
    private final Thread thread = new Thread(this::read, "verifier");
    private volatile Map<TopicPartition, Long> positions = Map.of();
    private volatile boolean closed;

    Verifier(String bootstrapServers, Topics topics, Ledger ledger, Signal signal) {
        this.bootstrapServers = bootstrapServers;
        this.topics = topics;
        this.partitions = topics.outputs();
        this.ledger = ledger;
        this.signal = signal;
    }

    void start() {
        thread.start();
    }

    /** Waits until no transaction is open any more and everything that was committed has been read. */
    void finish(Admin admin) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        signal.await("all transactions on " + topics.events() + " and " + topics.deadLetters() + " over", LIMIT, () -> {
            ends.clear();
            ends.putAll(ends(admin, IsolationLevel.READ_UNCOMMITTED));
            return ends.equals(ends(admin, IsolationLevel.READ_COMMITTED));
        });
        signal.await(
                "everything read up to " + ends,
                LIMIT,
                () -> partitions.stream()
                        .allMatch(partition ->
                                positions.getOrDefault(partition, 0L) >= ends.getOrDefault(partition, 0L)));
    }

    private Map<TopicPartition, Long> ends(Admin admin, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> latest =
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        Topics.finish(
                        "the ends of the output are not known",
                        admin.listOffsets(latest, new ListOffsetsOptions(isolation))
                                .all())
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    private void read() {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", bootstrapServers,
                "isolation.level", "read_committed",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest");
        try (Consumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!closed) {
                consumer.poll(POLL).forEach(this::enter);
                positions = partitions.stream().collect(Collectors.toMap(partition -> partition, consumer::position));
                signal.changed();
            }
        } catch (KafkaException e) {
            signal.fail(new JobFailure("the output cannot be read", e));
        }
    }

    private void enter(ConsumerRecord<String, String> record) {
        if (record.topic().equals(topics.deadLetters())) {
            ledger.deadLettered(String.valueOf(record.key()));
        } else {
            Header row = record.headers().lastHeader(RowsToEvents.ROW_HEADER);
            ledger.committed(row == null ? "an event without a row" : new String(row.value(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        if (thread.isAlive()) {
            throw new JobFailure("the reader of the output has not ended within " + JOIN_MILLIS + " ms");
        }
    }
}
