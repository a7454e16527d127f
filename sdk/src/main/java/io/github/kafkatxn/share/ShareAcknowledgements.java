package io.github.kafkatxn.share;

import io.github.kafkatxn.internal.client.ShareConsumerInternals.Taken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;

/**
 * What a member of a share group has acknowledged and not sent: for a transaction (KIP-1289), made by
 * {@link TransactionalShareConsumer#acknowledgementsForTransaction()}.
 *
 * <p>Immutable, and safe for every thread. It can be sent again in the next transaction after an abort, as long as the
 * acquisition locks of its records go on; or {@linkplain TransactionalShareConsumer#takeBack taken back}.
 */
public final class ShareAcknowledgements {
    private static final byte GAP = 0;

    private final Map<TopicIdPartition, List<Batch>> batches;
    private final int records;
    private final Map<TopicIdPartition, ? extends Taken<?, ?>> taken;
    private final Object consumer;

    /**
     * Offsets that follow each other.
     *
     * @param firstOffset the first one
     * @param lastOffset the last one
     * @param types Kafka's ids of {@link AcknowledgeType}, and 0 for an offset without a record (a gap): one for the
     *     whole range, or one for each offset
     */
    public record Batch(long firstOffset, long lastOffset, List<Byte> types) {

        /**
         * Copies the list.
         *
         * @param firstOffset the first one
         * @param lastOffset the last one
         * @param types not null, nor an element
         */
        public Batch {
            types = List.copyOf(types);
        }
    }

    ShareAcknowledgements(Map<TopicIdPartition, ? extends Taken<?, ?>> taken, Object consumer) {
        this.taken = Map.copyOf(taken);
        this.consumer = consumer;
        Map<TopicIdPartition, List<Batch>> all = new HashMap<>();
        taken.forEach((partition, of) -> all.put(partition, batches(of.types())));
        this.batches = Map.copyOf(all);
        this.records =
                taken.values().stream().mapToInt(of -> of.records().size()).sum();
    }

    /** {@return what is acknowledged of each partition, in the order of the offsets} */
    public Map<TopicIdPartition, List<Batch>> batches() {
        return batches;
    }

    /** {@return how many records are acknowledged; gaps are none} */
    public int records() {
        return records;
    }

    /** {@return whether there is nothing to send} */
    public boolean isEmpty() {
        return batches.isEmpty();
    }

    Map<TopicIdPartition, ? extends Taken<?, ?>> taken() {
        return taken;
    }

    boolean isOf(Object other) {
        return consumer == other;
    }

    private static List<Batch> batches(SortedMap<Long, ? extends @Nullable AcknowledgeType> types) {
        List<Batch> batches = new ArrayList<>();
        List<Byte> run = new ArrayList<>();
        long first = 0;
        for (Map.Entry<Long, ? extends @Nullable AcknowledgeType> entry : types.entrySet()) {
            long offset = entry.getKey();
            if (!run.isEmpty() && offset != first + run.size()) {
                batches.add(batch(first, run));
                run = new ArrayList<>();
            }
            if (run.isEmpty()) {
                first = offset;
            }
            AcknowledgeType type = entry.getValue();
            run.add(type == null ? GAP : type.id);
        }
        if (!run.isEmpty()) {
            batches.add(batch(first, run));
        }
        return List.copyOf(batches);
    }

    private static Batch batch(long first, List<Byte> types) {
        boolean uniform = types.stream().distinct().count() == 1;
        return new Batch(first, first + types.size() - 1, uniform ? types.subList(0, 1) : types);
    }

    /** In messages and logs. */
    @Override
    public String toString() {
        return batches.toString();
    }
}
