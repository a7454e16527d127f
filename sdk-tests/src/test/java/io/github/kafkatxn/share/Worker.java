package io.github.kafkatxn.share;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A member of a share group that does its work in transactions. */
record Worker(TransactionalShareConsumer<String, String> consumer) implements AutoCloseable {

    /** Records, and their acknowledgements, drained poll by poll. */
    record Batch(List<ConsumerRecord<String, String>> records, List<ShareAcknowledgements> acknowledgements) {
        Batch() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        int size() {
            return records.size();
        }
    }

    /** Polls until so many have come. */
    Batch take(int count) {
        return take(count, AcknowledgeType.ACCEPT);
    }

    Batch take(int count, AcknowledgeType type) {
        Batch batch = new Batch();
        while (batch.size() < count) {
            addTo(batch, type);
        }
        return batch;
    }

    /** Polls once. */
    void addTo(Batch batch, AcknowledgeType type) {
        List<ConsumerRecord<String, String>> polled = poll(Duration.ofMillis(100));
        batch.records().addAll(polled);
        if (!polled.isEmpty()) {
            batch.acknowledgements().add(acknowledged(polled, type));
        }
    }

    List<ConsumerRecord<String, String>> poll(Duration timeout) {
        List<ConsumerRecord<String, String>> polled = new ArrayList<>();
        consumer.poll(timeout).forEach(polled::add);
        return polled;
    }

    ShareAcknowledgements acknowledged(List<ConsumerRecord<String, String>> records, AcknowledgeType type) {
        records.forEach(record -> consumer.acknowledge(record, type));
        return consumer.acknowledgementsForTransaction().orElseThrow();
    }

    /** {@return the same in one, as if all of it had come with one poll} */
    ShareAcknowledgements together(Batch batch, AcknowledgeType type) {
        batch.acknowledgements().forEach(consumer::takeBack);
        return acknowledged(batch.records(), type);
    }

    ShareGroupMetadata member() {
        return consumer.shareGroupMetadata().orElseThrow();
    }

    /** Makes all of it part of the transaction, or as much as goes in before something fails. */
    Optional<TxnError> send(Transaction<String, String> transaction, Batch batch) {
        for (ShareAcknowledgements each : batch.acknowledgements()) {
            Optional<TxnError> error = transaction
                    .sendShareAcknowledgementsToTransaction(each, member())
                    .error();
            if (error.isPresent()) {
                return error;
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
