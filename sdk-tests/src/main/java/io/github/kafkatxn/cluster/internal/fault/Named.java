package io.github.kafkatxn.cluster.internal.fault;

import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one API key name: transactional ids, groups, partitions.
 *
 * @param <R> the class of the request
 */
final class Named<R extends ApiMessage> {
    /** In place of a partition's number: the request names the topic as a whole. */
    static final int WHOLE_TOPIC = -1;

    private final Class<R> type;
    private @Nullable Function<R, Collection<String>> transactionalIds;
    private @Nullable Function<R, Collection<String>> groups;
    private @Nullable BiConsumer<R, Visitor> partitions;
    private boolean single;

    /** Is told of every partition, or topic, that a request names. */
    @FunctionalInterface
    interface Visitor {

        /**
         * A partition.
         *
         * @param topic its topic's name; null or empty if it is named by its id
         * @param topicId its topic's id; zero if it is named by its name
         * @param partition its number, or {@link #WHOLE_TOPIC}
         */
        void visit(@Nullable String topic, Uuid topicId, int partition);

        default void visit(@Nullable String topic, int partition) {
            visit(topic, Uuid.ZERO_UUID, partition);
        }
    }

    Named(Class<R> type) {
        this.type = type;
    }

    Named<R> transactionalId(Function<R, @Nullable String> id) {
        return transactionalIds(request -> one(id.apply(request)));
    }

    Named<R> transactionalIds(Function<R, Collection<String>> ids) {
        transactionalIds = ids;
        return this;
    }

    Named<R> group(Function<R, @Nullable String> id) {
        return groups(request -> one(id.apply(request)));
    }

    Named<R> groups(Function<R, Collection<String>> ids) {
        groups = ids;
        return this;
    }

    Named<R> partitions(BiConsumer<R, Visitor> each) {
        partitions = each;
        single = true;
        return this;
    }

    /** Topics, but not single partitions. */
    Named<R> topics(BiConsumer<R, Visitor> each) {
        partitions = each;
        return this;
    }

    boolean hasTransactionalId() {
        return transactionalIds != null;
    }

    boolean hasGroup() {
        return groups != null;
    }

    boolean hasTopic() {
        return partitions != null;
    }

    boolean hasPartition() {
        return single;
    }

    Collection<String> transactionalIds(ApiMessage request) {
        return transactionalIds == null ? List.of() : transactionalIds.apply(type.cast(request));
    }

    Collection<String> groups(ApiMessage request) {
        return groups == null ? List.of() : groups.apply(type.cast(request));
    }

    void visit(ApiMessage request, Visitor visitor) {
        if (partitions != null) {
            partitions.accept(type.cast(request), visitor);
        }
    }

    private static Collection<String> one(@Nullable String id) {
        return id == null ? List.of() : List.of(id);
    }
}
