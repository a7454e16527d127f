package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The transactions of a partition that are open, and those that were aborted. */
final class Transactions {
    /** The producers by the first offsets of their open transactions. */
    private final TreeMap<Long, Long> open = new TreeMap<>();

    /** In the order of their markers. */
    private final List<Aborted> aborted = new ArrayList<>();

    /** An aborted transaction. Behind {@code stableOffset} there may be older ones whose markers come later. */
    private record Aborted(long producerId, long firstOffset, long markerOffset, long stableOffset) {}

    void begun(long firstOffset, long producerId) {
        open.putIfAbsent(firstOffset, producerId);
    }

    void ended(long firstOffset, long markerOffset, boolean commit) {
        Long producerId = open.remove(firstOffset);
        if (producerId != null && !commit) {
            aborted.add(new Aborted(producerId, firstOffset, markerOffset, firstUnstable(markerOffset + 1)));
        }
    }

    /** The first offset of the oldest open transaction, else the end. */
    long firstUnstable(long endOffset) {
        return open.isEmpty() ? endOffset : open.firstKey();
    }

    /** The aborted transactions that have records in a range: all of them, and perhaps more. */
    List<AbortedTransaction> abortedIn(long from, long upperBound) {
        List<AbortedTransaction> found = new ArrayList<>();
        for (int i = firstEndingFrom(from); i < aborted.size(); i++) {
            Aborted transaction = aborted.get(i);
            if (transaction.firstOffset() < upperBound) {
                found.add(new AbortedTransaction(transaction.producerId(), transaction.firstOffset()));
            }
            if (transaction.stableOffset() >= upperBound) {
                break;
            }
        }
        return found;
    }

    void dropBefore(long startOffset) {
        aborted.removeIf(transaction -> transaction.markerOffset() < startOffset);
    }

    private int firstEndingFrom(long offset) {
        int low = 0;
        int high = aborted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (aborted.get(middle).markerOffset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
