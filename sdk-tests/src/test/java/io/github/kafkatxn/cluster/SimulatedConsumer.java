package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * An unmodified consumer, alone in a group. Its membership may be over when the cluster's time has leapt: it then joins
 * again, and reads again from the beginning, for it never commits.
 */
final class SimulatedConsumer implements AutoCloseable {
    private final SimulationLedger ledger;
    private final KafkaConsumer<String, String> consumer;
    private final Map<TopicPartition, Map<Long, String>> seen = new HashMap<>();

    SimulatedConsumer(ReferenceCluster cluster, String protocol, String topic, SimulationLedger ledger) {
        this.ledger = ledger;
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "group.id",
                protocol + "-readers",
                "group.protocol",
                protocol,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                20);
        consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of(topic));
    }

    void poll(Duration atMost) {
        consumer.poll(atMost).forEach(record -> {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            ledger.requireCommitted(partition, record.value());
            String before =
                    seen.computeIfAbsent(partition, p -> new TreeMap<>()).put(record.offset(), record.value());
            assertThat(before == null || before.equals(record.value()))
                    .as("offset %d of %s was %s and is %s", record.offset(), partition, before, record.value())
                    .isTrue();
        });
    }

    /** {@return all it has read so far, by offset} */
    List<String> values(TopicPartition partition) {
        return List.copyOf(seen.getOrDefault(partition, Map.of()).values());
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
