package io.github.kafkatxn.cluster.internal.share;

import java.util.List;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * What a member gets.
 *
 * @param ranges its offsets
 * @param records whole batches, in which they are
 */
public record Acquired(List<Range> ranges, MemoryRecords records) {
    static final Acquired NOTHING = new Acquired(List.of(), MemoryRecords.EMPTY);

    /**
     * Offsets that are delivered as often.
     *
     * @param first the first one
     * @param last the last one
     * @param deliveryCount how often, this time included
     */
    public record Range(long first, long last, int deliveryCount) {}

    /** {@return how many offsets} */
    public int size() {
        return ranges.stream()
                .mapToInt(range -> (int) (range.last - range.first + 1))
                .sum();
    }

    /**
     * What a member wants.
     *
     * @param memberId the member
     * @param maxRecords how many offsets
     * @param strictly whether batches are cut so that there are no more; else at least one whole batch is given
     * @param batchSize how many offsets a range should have at most; batches are not cut for it
     * @param maxBytes how much is read
     */
    public record Wanted(String memberId, int maxRecords, boolean strictly, int batchSize, int maxBytes) {}
}
