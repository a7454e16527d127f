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
     * Sends a batch and waits until it is committed.
     *
     * @param batch its records
     * @throws TxnException if it is not committed; if its error is in doubt, it may be. Close this then
     */
    public void send(List<ProducerRecord<String, String>> batch) {
        for (int attempt = 1; ; attempt++) {
            Transaction<String, String> transaction =
                    producer.beginTransaction().orElseThrow();
            sendAll(transaction, batch);
            TxnResult<TransactionStats> committed = settled(transaction::commit);
            if (committed.isSuccess()) {
                return;
            }
            TxnError error = committed.error().orElseThrow();
            if (error.inDoubt() || attempt == ATTEMPTS) {
                throw new TxnException(error);
            }
            recover(transaction, error);
        }
    }

    private void recover(Transaction<String, String> transaction, TxnError error) {
        switch (error.action()) {
            case ABORT_AND_REPLAY ->
                // That the producer is finished may show only now.
                settled(transaction::abort).error().ifPresent(later -> recover(transaction, later));
            case RECREATE -> producer = producer.recreate().orElseThrow();
            case RETRY_CALL, STOP -> throw new TxnException(error);
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
        producer.close();
    }
}
