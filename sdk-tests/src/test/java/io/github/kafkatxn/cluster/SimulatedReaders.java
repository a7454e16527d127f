package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Those who read what a simulation's producers write, while they write it: a reader for each partition, and an
 * unmodified consumer of either protocol. None of them may ever see what is not committed, and in the end each has seen
 * all that is: what is committed behind the back of a reader is lost.
 */
final class SimulatedReaders implements AutoCloseable {
    private final List<SimulatedReader> readers;
    private final List<SimulatedConsumer> consumers;

    SimulatedReaders(
            ReferenceCluster cluster,
            Uuid topicId,
            List<TopicPartition> partitions,
            SimulationNetwork network,
            SimulationLedger ledger) {
        readers = partitions.stream()
                .map(partition -> new SimulatedReader(partition, topicId, network, ledger))
                .toList();
        consumers = Stream.of("classic", "consumer")
                .map(protocol -> new SimulatedConsumer(
                        cluster, protocol, partitions.get(0).topic(), ledger))
                .toList();
    }

    /** One of them reads. */
    void read(SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            consumers.get(random.nextInt(consumers.size())).poll(Duration.ofMillis(1));
        } else {
            readers.get(random.nextInt(readers.size())).read();
        }
    }

    /** All of them read; whether each has as many records now as there are. */
    boolean haveAll(Map<TopicPartition, List<String>> committed) {
        readers.forEach(SimulatedReader::read);
        consumers.forEach(consumer -> consumer.poll(Duration.ofMillis(20)));
        return readers.stream().allMatch(reader -> {
            TopicPartition partition = reader.partition();
            int all = committed.getOrDefault(partition, List.of()).size();
            return reader.values().size() >= all
                    && consumers.stream()
                            .allMatch(consumer -> consumer.values(partition).size() >= all);
        });
    }

    void requireSame(Map<TopicPartition, List<String>> committed) {
        for (SimulatedReader reader : readers) {
            List<String> expected = committed.getOrDefault(reader.partition(), List.of());
            assertThat(reader.values())
                    .as("what the reader of %s has read", reader.partition())
                    .isEqualTo(expected);
            for (SimulatedConsumer consumer : consumers) {
                assertThat(consumer.values(reader.partition()))
                        .as("what a consumer has read of %s", reader.partition())
                        .isEqualTo(expected);
            }
        }
    }

    @Override
    public void close() {
        consumers.forEach(SimulatedConsumer::close);
    }
}
