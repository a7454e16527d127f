package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The producers of a lane, used in turn: under transaction version 2 a commit is answered before its markers are
 * written, and the next transaction of the <em>same</em> producer would meet them. That of the other one does not.
 *
 * <p>Safe because a transaction begins only when the one before is decided: per partition a reader cannot pass the
 * earlier one, and the group coordinator keeps the offset written later.
 *
 * <p>Belongs to the lane's thread; {@link #close} and {@link #stopConnecting} may be called by any.
 */
final class ProducerRing<K, V> {
    static final int SIZE = 2;

    /** For a producer that has lost, or has nothing open. */
    private static final Duration NO_WAIT = Duration.ofSeconds(1);

    private final Supplier<? extends Serializer<? super K>> keySerializer;
    private final Supplier<? extends Serializer<? super V>> valueSerializer;
    private final List<TransactionalProducer<K, V>> producers = new ArrayList<>(SIZE);
    private final String ids;
    private int turn;
    private boolean rebuilding;

    /** How many are, of a rebuild that has to be repeated. */
    private int rebuilt;

    private boolean connecting;
    private boolean closed;

    ProducerRing(
            ProcessorSettings settings,
            int lane,
            Supplier<? extends Serializer<? super K>> keySerializer,
            Supplier<? extends Serializer<? super V>> valueSerializer) {
        this.keySerializer = keySerializer;
        this.valueSerializer = valueSerializer;
        this.ids = settings.transactionalId(lane, 0) + ", " + settings.transactionalId(lane, 1);
        for (int i = 0; i < SIZE; i++) {
            producers.add(create(settings.producer().toBuilder()
                    .transactionalId(settings.transactionalId(lane, i))
                    .build()));
        }
    }

    synchronized TransactionalProducer<K, V> current() {
        return producers.get(turn);
    }

    synchronized void next() {
        turn = (turn + 1) % SIZE;
    }

    /**
     * Takes over every transactional id; may be repeated. What is ready stays as it is.
     *
     * @return why one could not be taken over, or null
     */
    @Nullable
    TxnError init() {
        for (int i = 0; i < SIZE; i++) {
            TxnResult<TransactionalProducer<K, V>> result = connect(i);
            if (result.action().orElse(Action.RETRY_CALL) == Action.RECREATE) {
                replace(i);
                result = connect(i);
            }
            if (!result.isSuccess()) {
                return error(result);
            }
        }
        return null;
    }

    /**
     * Replaces the producers by ones with the same transactional ids, the current one first, and initialises them. What
     * the old ones had open is over then. All of them, so that of two lanes of one name one has it all: each could have
     * one id of two, and both be fenced with the next transaction.
     *
     * @return why one could not be initialised, or null; then repeat
     */
    @Nullable
    TxnError rebuild() {
        while (rebuilt < SIZE) {
            int index = (turn + rebuilt) % SIZE;
            if (!rebuilding) {
                replace(index);
                rebuilding = true;
            }
            TxnResult<TransactionalProducer<K, V>> result = connect(index);
            // Waiting for an answer goes on with the same producer.
            rebuilding = result.action().orElse(Action.RECREATE) == Action.RETRY_CALL;
            if (!result.isSuccess()) {
                return error(result);
            }
            rebuilt++;
        }
        rebuilt = 0;
        return null;
    }

    /**
     * Closes everything if there is a wait for brokers that do not answer now.
     *
     * @return whether there was; the thread that waits has still to be woken up
     */
    boolean stopConnecting() {
        synchronized (this) {
            if (!connecting) {
                return false;
            }
        }
        close(NO_WAIT);
        return true;
    }

    /** Closes the producers, the one that may have something open last. Repeats do nothing. */
    void close(Duration timeout) {
        long start = System.nanoTime();
        List<TransactionalProducer<K, V>> all;
        synchronized (this) {
            closed = true;
            all = List.of(producers.get((turn + 1) % SIZE), producers.get(turn));
        }
        Duration least = Duration.ofMillis(1);
        Duration half = timeout.dividedBy(2);
        all.get(0).close(half.compareTo(least) > 0 ? half : least);
        Duration rest = timeout.minusNanos(System.nanoTime() - start);
        all.get(1).close(rest.compareTo(least) > 0 ? rest : least);
    }

    private TxnResult<TransactionalProducer<K, V>> connect(int index) {
        TransactionalProducer<K, V> producer;
        synchronized (this) {
            connecting = true;
            producer = producers.get(index);
        }
        try {
            return producer.init();
        } finally {
            synchronized (this) {
                connecting = false;
            }
        }
    }

    /** The client does not say whose it is. */
    private TxnError error(TxnResult<?> failed) {
        return failed.error().orElseThrow().withDetail("Transactional ids: " + ids + ".");
    }

    /** A ring that is closed keeps what it has: that cannot connect any more. */
    private void replace(int index) {
        TransactionalProducer<K, V> old = producers.get(index);
        old.close(NO_WAIT);
        synchronized (this) {
            if (!closed) {
                producers.set(index, create(old.settings()));
            }
        }
    }

    private TransactionalProducer<K, V> create(ProducerSettings settings) {
        return TransactionalProducer.create(settings, keySerializer, valueSerializer);
    }
}
