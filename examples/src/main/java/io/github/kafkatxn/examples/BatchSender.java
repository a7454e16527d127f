package io.github.kafkatxn.examples;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnException;
import io.github.kafkatxn.result.TxnResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** An application to copy: sends batches of records, all of a batch or nothing. For one thread. */
public final class BatchSender implements AutoCloseable {
    private static final int ATTEMPTS = 5;
    private static final Optional<Action> RETRY = Optional.of(Action.RETRY_CALL);

    private TransactionalProducer<String, String> producer;
    private boolean closed;

    /**
     * Connects, and ends what an earlier run with the same transactional id has left open.
     *
     * @param settings bootstrap servers and transactional id, at least
     * @throws TxnException if it cannot
     */
    public BatchSender(ProducerSettings settings) {
        producer = TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
        settled(producer::init).orElseThrow();
    }

    /**
     * Sends a batch and waits until it is committed. Whatever this throws, the next call works as soon as the brokers
     * do.
     *
     * @param batch its records
     * @throws TxnException if it is not committed; if its error is in doubt, it may be, and sending it again may double
     *     it
     * @throws IllegalStateException if this is closed
     */
    public void send(List<ProducerRecord<String, String>> batch) {
        if (closed) {
            throw new IllegalStateException("this sender is closed");
        }
        for (int attempt = 1; ; attempt++) {
            Transaction<String, String> transaction = begin();
            sendAll(transaction, batch);
            TxnResult<TransactionStats> committed = settled(transaction::commit);
            if (committed.isSuccess()) {
                return;
            }
            TxnError error = committed.error().orElseThrow();
            finish(transaction, error);
            boolean again = error.action() == Action.ABORT_AND_REPLAY || error.action() == Action.RECREATE;
            if (!again || error.inDoubt() || attempt == ATTEMPTS) {
                throw new TxnException(error);
            }
        }
    }

    /** A producer that is finished, which may show only now, is replaced; the new one ends what it has left open. */
    private Transaction<String, String> begin() {
        TxnResult<Transaction<String, String>> begun = producer.beginTransaction();
        if (begun.action().equals(Optional.of(Action.RECREATE))) {
            producer = settled(producer::recreate).orElseThrow();
            begun = producer.beginTransaction();
        }
        return begun.orElseThrow();
    }

    /** Leaves nothing open behind an exception: the next begin would be refused, and readers would wait. */
    private static void finish(Transaction<String, String> transaction, TxnError error) {
        switch (error.action()) {
            // Should this fail, the producer is finished, and the next begin says so.
            case ABORT_AND_REPLAY, STOP -> settled(transaction::abort);
            // An abort would be refused: what becomes of this transaction is for the next producer to settle.
            case RETRY_CALL, RECREATE -> {}
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a record that cannot be sent makes the commit fail
    private static void sendAll(Transaction<String, String> transaction, List<ProducerRecord<String, String>> batch) {
        batch.forEach(transaction::send);
    }

    /** Repeats a call while that is all there is to do. Each takes at most the call timeout. */
    private static <T> TxnResult<T> settled(Supplier<TxnResult<T>> call) {
        TxnResult<T> result = call.get();
        for (int attempt = 2; attempt <= ATTEMPTS && result.action().equals(RETRY); attempt++) {
            result = call.get();
        }
        return result;
    }

    @Override
    public void close() {
        closed = true;
        producer.close();
    }
}
