package io.github.kafkatxn.examples;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The Java code of the README, so that it compiles; {@link ReadmeTest} compares. */
final class ReadmeCode {
    private ReadmeCode() {}

    static StopReason loop() {
        var settings = ProcessorSettings.builder()
                .bootstrapServers("localhost:9092")
                .groupId("payments")
                .inputTopics("orders")
                .build();
        try (var processor = ExactlyOnceProcessor.create(
                settings,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                (order, outputs) -> outputs.send("payments", order.key(), pay(order.value())))) {
            return processor.run();
        }
    }

    static StopReason workers() {
        var settings = ProcessorSettings.builder()
                .bootstrapServers("localhost:9092")
                .shareGroupId("workers")
                .inputTopics("jobs")
                .deadLetterTopic("jobs-dead")
                .atLeastOnce()
                .build();
        try (var processor = ShareProcessor.create(
                settings,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                (job, outputs) -> outputs.send("results", job.key(), work(job.value())))) {
            return processor.run();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    static void producer(TransactionalProducer<String, String> producer) {
        producer.init().orElseThrow();
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        transaction.send(new ProducerRecord<>("payments", "42", "100 EUR"));
        TxnError error = transaction.commit().error().orElse(null);
        if (error != null) {
            switch (error.action()) {
                case RETRY_CALL -> transaction.commit(); // nothing else is legal: it may be committed
                case ABORT_AND_REPLAY -> transaction.abort(); // then rewind and do the batch again
                case RECREATE -> producer = producer.recreate().orElseThrow(); // then go on from the committed offsets
                case STOP -> {
                    transaction.abort(); // else it stays open
                    throw new IllegalStateException(error.message()); // says what to change
                }
            }
        }
    }

    static void broker() {
        try (ApacheKafka kafka = ApacheKafka.builder().brokers(3).start()) {
            int leader = kafka.leader("__transaction_state", 0);
            kafka.kill(leader);
            kafka.restart(leader);
        }
    }

    private static String work(String job) {
        return job;
    }

    private static String pay(String order) {
        return order;
    }
}
