package io.github.kafkatxn.cluster.internal.fault;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of a key with an error for each partition are split, and their answers put together again.
 *
 * @param <R> the class of the request
 * @param <A> the class of the answer
 */
abstract class Partial<R extends ApiMessage, A extends ApiMessage> {
    private final Class<R> requestType;
    private final Class<A> answerType;

    /** Some partitions. */
    @FunctionalInterface
    interface Parts {
        boolean contains(@Nullable String topic, Uuid topicId, int partition);

        default boolean contains(@Nullable String topic, int partition) {
            return contains(topic, Uuid.ZERO_UUID, partition);
        }
    }

    Partial(Class<R> requestType, Class<A> answerType) {
        this.requestType = requestType;
        this.answerType = answerType;
    }

    /** Leaves only those parts in the request; says whether there are any. */
    abstract boolean keep(R request, Parts parts);

    /** Adds the parts of one answer to another. */
    abstract void merge(A into, A errors);

    final @Nullable R only(ApiMessage request, Parts parts) {
        R copy = requestType.cast(request.duplicate());
        return keep(copy, parts) ? copy : null;
    }

    final void mergeAny(ApiMessage into, ApiMessage errors) {
        merge(answerType.cast(into), answerType.cast(errors));
    }
}
