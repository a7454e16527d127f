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
 */
final class ProducerRing<K, V> implements AutoCloseable {
    static final int SIZE = 2;

    private final List<TransactionalProducer<K, V>> producers = new ArrayList<>(SIZE);
    private int turn;

    ProducerRing(
            ProcessorSettings settings,
            int lane,
            Supplier<? extends Serializer<? super K>> keySerializer,
            Supplier<? extends Serializer<? super V>> valueSerializer) {
        for (int i = 0; i < SIZE; i++) {
            ProducerSettings own = settings.producer().toBuilder()
                    .transactionalId(settings.transactionalId(lane, i))
                    .build();
            producers.add(TransactionalProducer.create(own, keySerializer, valueSerializer));
        }
    }

    TransactionalProducer<K, V> current() {
        return producers.get(turn);
    }

    void next() {
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
            TxnResult<TransactionalProducer<K, V>> result = producers.get(i).init();
            if (result.action().orElse(Action.RETRY_CALL) == Action.RECREATE) {
                result = rebuild(i);
            }
            if (!result.isSuccess()) {
                return result.error().orElseThrow();
            }
        }
        return null;
    }

    /**
     * Replaces the current producer by one with the same transactional id.
     *
     * @return why it could not be initialised, or null; then repeat
     */
    @Nullable
    TxnError rebuildCurrent() {
        return rebuild(turn).error().orElse(null);
    }

    void close(Duration timeout) {
        Duration each = timeout.dividedBy(SIZE);
        for (TransactionalProducer<K, V> producer : producers) {
            producer.close(each);
        }
    }

    @Override
    public void close() {
        producers.forEach(TransactionalProducer::close);
    }

    private TxnResult<TransactionalProducer<K, V>> rebuild(int index) {
        TxnResult<TransactionalProducer<K, V>> rebuilt = producers.get(index).recreate();
        rebuilt.fold(producer -> producers.set(index, producer), error -> null);
        return rebuilt;
    }
}
