package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Unmodified clients in their shortest form. */
final class TestClients {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private TestClients() {}

    static void createTopic(ApacheKafka kafka, String topic) throws Exception {
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get(WAIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Produces the values in one transaction. */
    static void produce(Map<String, Object> connection, String topic, String... values) {
        Map<String, Object> config = new HashMap<>(connection);
        config.put("transactional.id", "tx-" + topic);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (String value : values) {
                Future<RecordMetadata> reportedByCommit = producer.send(new ProducerRecord<>(topic, value));
                assertThat(reportedByCommit).isNotNull();
            }
            producer.commitTransaction();
        }
    }

    /** The committed values of partition 0 from the beginning, as soon as there are so many. */
    static List<String> consume(Map<String, Object> connection, String topic, int count) {
        Map<String, Object> config = new HashMap<>(connection);
        config.put("isolation.level", "read_committed");
        config.put("auto.offset.reset", "earliest");
        List<String> values = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            Deadline deadline = Deadline.after(WAIT);
            while (values.size() < count && !deadline.passed()) {
                consumer.poll(Duration.ofMillis(200)).forEach(received -> values.add(received.value()));
            }
        }
        return values;
    }
}
