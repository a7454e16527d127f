package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The outputs of the record that a lane is at. One object per lane, open while a transform runs. */
final class LaneOutputs<K, V> implements Outputs<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);

    private final Thread lane = Thread.currentThread();
    private volatile @Nullable Transaction<K, V> open;
    private @Nullable Duration wait;
    private boolean refused;

    /** Counts the records. */
    private volatile int turn;

    /** The first use on another thread since the transaction began. */
    private final AtomicReference<@Nullable Misuse> misuse = new AtomicReference<>();

    /** A use on another thread, while the transform of a record ran, or, with turn 0, while none did. */
    private record Misuse(int turn, String thread) {
        IllegalStateException exception() {
            return new IllegalStateException("Outputs was used by thread " + thread
                    + "; only the thread that runs the transform may use it, and only until the transform returns");
        }
    }

    /** A transaction begins. What was noticed after the one before had its commit is in the log, and was thrown. */
    void begin() {
        misuse.set(null);
    }

    /**
     * Opens it for one record.
     *
     * @param transaction where outputs go
     * @param longest how long to wait for each output's delivery, or null not to wait
     */
    void open(Transaction<K, V> transaction, @Nullable Duration longest) {
        open = transaction;
        wait = longest;
        refused = false;
        turn = Math.max(1, turn + 1);
    }

    void close() {
        open = null;
    }

    /**
     * {@return whether an output of the current record was refused because of what it is; not if an output of an
     * earlier record has failed meanwhile, after which nothing more is taken}
     */
    boolean refused() {
        return refused;
    }

    /** {@return a use on another thread while the transform of the current record ran: this record lacks an output} */
    @Nullable
    IllegalStateException misuse() {
        Misuse noticed = misuse.get();
        return noticed == null || noticed.turn() != turn ? null : noticed.exception();
    }

    /**
     * {@return a use on another thread at any time since the transaction began} Whose output it should have been cannot
     * be told: of a record that may be in the transaction without it.
     */
    @Nullable
    IllegalStateException anyMisuse() {
        Misuse noticed = misuse.get();
        return noticed == null ? null : noticed.exception();
    }

    @Override
    public void send(ProducerRecord<K, V> record) {
        if (Thread.currentThread() != lane) {
            throw noted();
        }
        Transaction<K, V> transaction = open;
        if (transaction == null) {
            throw new IllegalStateException("Outputs was used after the transform it was given to had returned");
        }
        boolean failedBefore = transaction.failure().isPresent();
        Future<RecordMetadata> sent = transaction.send(record);
        Duration longest = wait;
        if (sent.isDone() || longest != null) {
            boolean own = isOwn(sent, transaction, longest == null ? Duration.ZERO : longest);
            TxnError error = transaction.failure().orElse(null);
            if (error != null) {
                refused |= !failedBefore && own;
                throw new TxnException(error);
            }
        }
    }

    /** Noted before anything else is done about it: the lane may be about to commit. */
    private IllegalStateException noted() {
        Misuse wrong =
                new Misuse(open == null ? 0 : turn, Thread.currentThread().getName());
        boolean first = misuse.compareAndSet(null, wrong);
        IllegalStateException exception = wrong.exception();
        if (first && wrong.turn() == 0) {
            LOG.error("An output of a transform that had returned was refused, and is missing", exception);
        }
        return exception;
    }

    /**
     * The client gives the failure of a record that it refuses itself, or throws what serializers and partitioners
     * throw. Between the two looks at the transaction an earlier record may have failed, with what a broker answers.
     */
    private static boolean isOwn(Future<RecordMetadata> sent, Transaction<?, ?> transaction, Duration longest) {
        try {
            sent.get(longest.toNanos(), TimeUnit.NANOSECONDS);
            return false;
        } catch (ExecutionException e) {
            return !(e.getCause() instanceof TxnException)
                    || transaction
                            .failure()
                            .filter(first -> first.cause() instanceof ApiException)
                            .isEmpty();
        } catch (TimeoutException e) {
            // It is waited for again in front of the commit.
            return false;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
