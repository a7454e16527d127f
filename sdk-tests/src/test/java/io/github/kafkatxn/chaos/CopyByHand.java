package io.github.kafkatxn.chaos;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A consume-transform-produce loop as a user of {@link TransactionalProducer} would write it: it does what the action
 * of each result says, and nothing else.
 */
final class CopyByHand implements AutoCloseable {

    private final KafkaConsumer<String, String> consumer;
    private final String output;
    private final Steps steps;
    private final long deadline;
    /** What it did to recover, for when that was not enough. */
    private final Set<String> replays = new HashSet<>();

    private TransactionalProducer<String, String> producer;
    private int transactions;

    CopyByHand(
            Map<String, Object> consumerProperties,
            ProducerSettings producerSettings,
            String input,
            String output,
            Duration limit,
            Steps steps) {
        this.consumer = new KafkaConsumer<>(consumerProperties, new StringDeserializer(), new StringDeserializer());
        this.consumer.subscribe(List.of(input));
        this.producer = TransactionalProducer.create(producerSettings, StringSerializer::new, StringSerializer::new);
        this.output = output;
        this.steps = steps;
        this.deadline = System.nanoTime() + limit.toNanos();
        repeat(producer::init);
    }

    /**
     * Copies until the committed offsets have reached the end.
     *
     * @param records how many there are
     * @param abortOnce the transaction that the application itself aborts, or -1
     */
    void run(int records, int abortOnce) {
        while (committedRecords() < records) {
            checkTime();
            ConsumerRecords<String, String> polled = consumer.poll(Duration.ofMillis(200));
            if (!polled.isEmpty()) {
                transaction(polled, ++transactions == abortOnce);
            }
        }
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }

    private void transaction(ConsumerRecords<String, String> polled, boolean abort) {
        TxnResult<Transaction<String, String>> begun = producer.beginTransaction();
        if (!begun.isSuccess()) {
            recreate(polled);
            return;
        }
        Transaction<String, String> transaction = begun.orElseThrow();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        int half = polled.count() / 2;
        for (ConsumerRecord<String, String> record : polled) {
            if (sent.size() == half) {
                steps.begins(transactions, Phase.SEND);
            }
            sent.add(transaction.send(new ProducerRecord<>(output, record.key(), record.value())));
        }
        steps.ended(Phase.SEND);
        steps.begins(transactions, Phase.OFFSETS);
        TxnError error = transaction
                .sendOffsetsToTransaction(polled.nextOffsets(), consumer.groupMetadata())
                .error()
                .orElse(null);
        steps.ended(Phase.OFFSETS);
        if (abort) {
            steps.begins(transactions, Phase.ABORT);
            abortAndRewind(transaction, polled);
            steps.ended(Phase.ABORT);
            return;
        }
        if (error == null) {
            steps.begins(transactions, Phase.COMMIT);
            error = commit(transaction);
            steps.ended(Phase.COMMIT);
        }
        if (error != null) {
            recover(transaction, polled, error);
        }
    }

    private @Nullable TxnError commit(Transaction<String, String> transaction) {
        TxnError error = transaction.commit().error().orElse(null);
        for (int i = 0; i < 3 && error != null && error.action() == Action.RETRY_CALL; i++) {
            replays.add("commit again");
            error = transaction.commit().error().orElse(null);
        }
        return error;
    }

    private void recover(
            Transaction<String, String> transaction, ConsumerRecords<String, String> polled, TxnError error) {
        switch (error.action()) {
            case ABORT_AND_REPLAY -> abortAndRewind(transaction, polled);
            case RETRY_CALL, RECREATE -> recreate(polled);
            case STOP -> throw new AssertionError("asked to stop: " + error.message(), error.cause());
        }
    }

    private void abortAndRewind(Transaction<String, String> transaction, ConsumerRecords<String, String> polled) {
        replays.add("abort and replay");
        TxnError error = transaction.abort().error().orElse(null);
        for (int i = 0; i < 3 && error != null && error.action() == Action.RETRY_CALL; i++) {
            replays.add("abort again");
            error = transaction.abort().error().orElse(null);
        }
        if (error != null) {
            recreate(polled);
            return;
        }
        for (TopicPartition partition : polled.partitions()) {
            if (consumer.assignment().contains(partition)) {
                consumer.seek(partition, polled.records(partition).get(0).offset());
            }
        }
    }

    /** The committed offsets tell how the transaction went that nobody saw the end of. */
    private void recreate(ConsumerRecords<String, String> polled) {
        replays.add("recreate");
        TransactionalProducer<String, String> old = producer;
        producer = repeat(old::recreate);
        Map<TopicPartition, OffsetAndMetadata> positions = committed(polled.partitions());
        for (TopicPartition partition : polled.partitions()) {
            if (consumer.assignment().contains(partition)) {
                OffsetAndMetadata committed = positions.get(partition);
                long first = polled.records(partition).get(0).offset();
                consumer.seek(partition, committed == null ? first : committed.offset());
            }
        }
    }

    private <T> T repeat(Supplier<TxnResult<T>> call) {
        while (true) {
            checkTime();
            TxnResult<T> result = call.get();
            if (result.isSuccess()) {
                return result.orElseThrow();
            }
            TxnError error = result.error().orElseThrow();
            if (error.action() == Action.STOP) {
                throw new AssertionError("asked to stop: " + error.message(), error.cause());
            }
        }
    }

    private long committedRecords() {
        Map<TopicPartition, OffsetAndMetadata> positions = committed(consumer.assignment());
        return positions.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        while (true) {
            checkTime();
            try {
                Map<TopicPartition, OffsetAndMetadata> committed =
                        new HashMap<>(consumer.committed(partitions, Duration.ofSeconds(5)));
                committed.values().removeIf(offset -> offset == null);
                return committed;
            } catch (RetriableException e) {
                replays.add("committed again");
            }
        }
    }

    private void checkTime() {
        if (System.nanoTime() - deadline > 0) {
            throw new AssertionError("not done in time; recovered by " + replays);
        }
    }
}
