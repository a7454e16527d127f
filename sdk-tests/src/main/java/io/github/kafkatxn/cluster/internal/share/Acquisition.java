package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.AbortedTransaction;
import io.github.kafkatxn.cluster.internal.log.LogSlice;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/**
 * One member acquires what there is. What was delivered often already is delivered in ever smaller parts and not
 * together with others, so that one record that cannot be processed does not take the others with it.
 */
final class Acquisition {
    private final List<Acquired.Range> ranges = new ArrayList<>();
    private final Window window;
    private final PartitionLog log;
    private final ShareSettings settings;
    private final Acquired.Wanted wanted;
    private final long lockedUntil;
    private final int limit;
    private final int careful;
    private int acquired;
    private long lastAcquisition = -1;
    /** Whether records of the acquisition that is looked at were delivered often. */
    private boolean deliveredOften;
    /** How many of it have been taken. */
    private int acquiredOfIt;
    /** How many of it may be taken, from the first one on that was delivered often; -1 if there was none yet. */
    private int allowed = -1;

    private long fresh = -1;
    private int freshSize;
    private boolean over;

    Acquisition(Window window, PartitionLog log, ShareSettings settings, Acquired.Wanted wanted, long now) {
        this.window = window;
        this.log = log;
        this.settings = settings;
        this.wanted = wanted;
        this.lockedUntil = now + settings.lockMs();
        this.limit = settings.deliveryLimit();
        this.careful = Math.max(2, (limit + 1) / 2);
    }

    Acquired run() {
        window.begin(log.startOffset());
        long first = window.nextAvailable();
        if (first == window.end() && isFull()) {
            return Acquired.NOTHING;
        }
        boolean committed = settings.committedOnly();
        LogSlice slice = log.read(first, wanted.maxBytes(), committed, true);
        Set<Long> aborting = new HashSet<>();
        List<AbortedTransaction> aborted =
                committed ? new ArrayList<>(log.abortedTransactions(first, slice.upperBound())) : new ArrayList<>();
        for (MutableRecordBatch batch : slice.records().batches()) {
            aborted.removeIf(transaction ->
                    transaction.firstOffset() <= batch.lastOffset() && aborting.add(transaction.producerId()));
            if (batch.isControlBatch() && isAbort(batch)) {
                aborting.remove(batch.producerId());
            }
            boolean skipped =
                    batch.isTransactional() && !batch.isControlBatch() && aborting.contains(batch.producerId());
            take(Math.max(first, batch.baseOffset()), batch.lastOffset(), skipped);
            if (over) {
                break;
            }
        }
        return ranges.isEmpty() ? Acquired.NOTHING : new Acquired(List.copyOf(ranges), cut(slice));
    }

    private static boolean isAbort(MutableRecordBatch batch) {
        return ControlRecordType.parse(batch.iterator().next().key()) == ControlRecordType.ABORT;
    }

    private void take(long from, long to, boolean skipped) {
        // Batches are not cut but for a limit that is strict: whoever has enough at their beginning is done.
        if (acquired >= wanted.maxRecords() && !goesOn(from)) {
            over = true;
        }
        for (long offset = from; offset <= to && !over; offset++) {
            InFlight entry = window.get(offset);
            if (entry != null && entry.isAvailable()) {
                if (skipped) {
                    entry.become(RecordState.ARCHIVED);
                } else {
                    again(offset, entry);
                }
            } else if (offset >= window.end()) {
                window.fillTo(offset, RecordState.ARCHIVED);
                first(offset, offset == from, skipped);
            }
        }
    }

    /** A batch of the log is part of what was acquired in one go before. */
    private boolean goesOn(long offset) {
        InFlight entry = window.get(offset);
        return !wanted.strictly() && entry != null && entry.acquisition() == lastAcquisition;
    }

    private void again(long offset, InFlight entry) {
        if (entry.acquisition() != lastAcquisition && !begins(entry.acquisition())) {
            over = true;
            return;
        }
        int count = entry.deliveryCount();
        boolean lastTry = limit > 2 && count == limit - 1;
        if ((lastTry && acquiredOfIt > 0) || (wanted.strictly() && acquired >= wanted.maxRecords())) {
            over = true;
            return;
        }
        if (count >= careful && allowed < 0) {
            allowed = Math.max(1, window.sizeOf(lastAcquisition) >> (count - careful + 1));
        }
        acquire(offset, entry);
        acquiredOfIt++;
        over = lastTry || acquiredOfIt == allowed;
    }

    /** {@return whether something of what was acquired in one go before is taken now} */
    private boolean begins(long acquisition) {
        boolean often = isDeliveredOften(acquisition);
        if (acquired >= wanted.maxRecords() || deliveredOften || (often && acquired > 0)) {
            return false;
        }
        lastAcquisition = acquisition;
        deliveredOften = often;
        acquiredOfIt = 0;
        allowed = -1;
        return true;
    }

    private boolean isDeliveredOften(long acquisition) {
        return window.offsets().values().stream()
                .anyMatch(entry ->
                        entry.acquisition() == acquisition && entry.isAvailable() && entry.deliveryCount() >= careful);
    }

    /** A batch of the log that nobody has seen enters the window as a whole; a strict limit leaves its end there. */
    private void first(long offset, boolean atBatch, boolean skipped) {
        boolean enough = isFull() || acquired >= wanted.maxRecords();
        if ((atBatch && enough) || deliveredOften) {
            over = true;
            return;
        }
        boolean mayEnd = atBatch && !wanted.strictly();
        if (fresh < 0 || (mayEnd && freshSize >= wanted.batchSize())) {
            fresh = window.nextAcquisition();
            freshSize = 0;
        }
        freshSize++;
        InFlight entry = new InFlight(fresh, RecordState.AVAILABLE, 0, null);
        lastAcquisition = fresh;
        window.add(entry);
        if (skipped) {
            entry.become(RecordState.ARCHIVED);
        } else if (!enough || !wanted.strictly()) {
            acquire(offset, entry);
        }
    }

    private void acquire(long offset, InFlight entry) {
        entry.acquire(wanted.memberId(), lockedUntil);
        acquired++;
        int last = ranges.size() - 1;
        if (last >= 0
                && ranges.get(last).last() + 1 == offset
                && ranges.get(last).deliveryCount() == entry.deliveryCount()
                && isSameAcquisition(offset - 1, entry)) {
            Acquired.Range before = ranges.get(last);
            ranges.set(last, new Acquired.Range(before.first(), offset, before.deliveryCount()));
        } else {
            ranges.add(new Acquired.Range(offset, offset, entry.deliveryCount()));
        }
    }

    private boolean isSameAcquisition(long offset, InFlight entry) {
        Map.Entry<Long, InFlight> before = window.offsets().floorEntry(offset);
        return before != null && before.getValue().acquisition() == entry.acquisition();
    }

    private boolean isFull() {
        return window.size() >= settings.maxLocks();
    }

    /** The batches from the first to the last one in which something was acquired. */
    private MemoryRecords cut(LogSlice slice) {
        long first = ranges.get(0).first();
        long last = ranges.get(ranges.size() - 1).last();
        ByteBuffer bytes = slice.records().buffer();
        int from = 0;
        int to = 0;
        for (MutableRecordBatch batch : slice.records().batches()) {
            if (batch.lastOffset() < first) {
                from += batch.sizeInBytes();
            }
            if (batch.baseOffset() <= last) {
                to += batch.sizeInBytes();
            }
        }
        return MemoryRecords.readableRecords(bytes.slice(bytes.position() + from, to - from));
    }
}
