package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.junit.WithKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka Streams counts words exactly once. */
@Timeout(120)
class StreamsTest {
    private static final String LINES = "lines";
    private static final String COUNTS = "counts";
    private static final int LINES_A_RUN = 200;

    @TempDir
    private Path folder;

    /** The second run starts without state of its own, and has it back from what the first one has committed. */
    @Test
    @WithKafka(nodes = 3)
    void wordsAreCountedOnce(ReferenceCluster kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(LINES, 2, (short) 1), new NewTopic(COUNTS, 1, (short) 1)))
                    .all()
                    .get();
        }
        for (int run = 1; run <= 2; run++) {
            feed(kafka);
            try (KafkaStreams streams = new KafkaStreams(wordCount(), config(kafka, folder.resolve("run-" + run)))) {
                streams.start();
                long expected = (long) run * LINES_A_RUN;
                assertThat(lastCounts(kafka, expected)).isEqualTo(Map.of("to", 2 * expected, "be", expected));
                // Otherwise the next run would wait until the members of this one have been given up.
                streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
            }
        }
    }

    private static Topology wordCount() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(LINES)
                .flatMapValues(line -> List.of(line.toLowerCase(Locale.ROOT).split(" ")))
                .groupBy((key, word) -> word)
                .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("store"))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()))
                .toStream()
                .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }

    private static Properties config(ReferenceCluster kafka, Path state) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "words");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        return config;
    }

    private static void feed(ReferenceCluster kafka) {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            IntStream.range(0, LINES_A_RUN).forEach(i -> {
                var unused = producer.send(new ProducerRecord<>(LINES, "line-" + i, "To be to"));
            });
        }
    }

    /** {@return the last committed count of each word, once one of them has come to what is expected} */
    private static Map<String, Long> lastCounts(ReferenceCluster kafka, long expected) {
        Map<String, Long> counts = new HashMap<>();
        TopicPartition partition = new TopicPartition(COUNTS, 0);
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new LongDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (counts.getOrDefault("be", 0L) < expected || counts.getOrDefault("to", 0L) < 2 * expected) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> counts.put(record.key(), record.value()));
            }
        }
        return counts;
    }
}
