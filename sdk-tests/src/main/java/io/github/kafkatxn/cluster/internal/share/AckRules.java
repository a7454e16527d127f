package io.github.kafkatxn.cluster.internal.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What becomes of records that a member acknowledges: of all of them, or of none. */
final class AckRules {
    private AckRules() {}

    /**
     * What a member says, checked.
     *
     * @param error NONE, or why it does not count
     * @param changes what becomes of each offset
     * @param renewed whose locks begin anew
     */
    record Checked(Errors error, Map<Long, StateBatch> changes, List<InFlight> renewed) {
        private static Checked refused(Errors error) {
            return new Checked(error, Map.of(), List.of());
        }
    }

    /** What is done with already, and passed over, is not looked at. */
    static Checked acknowledge(Window window, String memberId, List<Acknowledgement> batches, int deliveryLimit) {
        Map<Long, StateBatch> changes = new TreeMap<>();
        List<InFlight> renewed = new ArrayList<>();
        for (Acknowledgement batch : batches) {
            if (batch.last() < window.start()) {
                continue;
            }
            if (batch.last() >= window.end()) {
                return Checked.refused(beyondTheEnd(window));
            }
            for (long offset = Math.max(batch.first(), window.start()); offset <= batch.last(); offset++) {
                InFlight entry = window.get(offset);
                byte type = batch.type(offset);
                if (entry == null || !entry.isHeldBy(memberId) || changes.containsKey(offset)) {
                    return Checked.refused(Errors.INVALID_RECORD_STATE);
                }
                if (type == AckType.RENEW) {
                    renewed.add(entry);
                } else {
                    RecordState next = AckType.target(type, entry.deliveryCount(), deliveryLimit);
                    changes.put(offset, new StateBatch(offset, offset, next, entry.deliveryCount(), null));
                }
            }
        }
        return new Checked(Errors.NONE, changes, renewed);
    }

    /**
     * In a transaction, what is done with already is refused too: the output of whoever was too slow would be doubled.
     * Who asks again, because the answer was lost, is told the same again.
     */
    static Checked stage(
            Window window,
            String memberId,
            Producer producer,
            List<Acknowledgement> batches,
            int deliveryLimit,
            long now) {
        Map<Long, StateBatch> changes = new TreeMap<>();
        for (Acknowledgement batch : batches) {
            if (batch.last() >= window.end()) {
                return Checked.refused(beyondTheEnd(window));
            }
            for (long offset = batch.first(); offset <= batch.last(); offset++) {
                InFlight entry = window.get(offset);
                byte type = batch.type(offset);
                if (isStaged(entry, memberId, producer, type)) {
                    continue;
                }
                if (entry == null || !entry.isHeldBy(memberId) || changes.containsKey(offset)) {
                    return Checked.refused(Errors.INVALID_RECORD_STATE);
                }
                Staging staged = new Staging(
                        type,
                        AckType.target(type, entry.deliveryCount(), deliveryLimit),
                        producer.id(),
                        producer.epoch(),
                        memberId,
                        Math.max(0, entry.lockedUntil() - now));
                changes.put(
                        offset, new StateBatch(offset, offset, RecordState.TX_PENDING, entry.deliveryCount(), staged));
            }
        }
        return new Checked(Errors.NONE, changes, List.of());
    }

    /** Where nothing is in flight, nobody can tell what was never delivered from what was lost with a leader. */
    private static Errors beyondTheEnd(Window window) {
        return window.size() == 0 ? Errors.INVALID_RECORD_STATE : Errors.INVALID_REQUEST;
    }

    private static boolean isStaged(@Nullable InFlight entry, String memberId, Producer producer, byte type) {
        Staging staged = entry == null ? null : entry.staging();
        return staged != null
                && staged.memberId().equals(memberId)
                && staged.producerId() == producer.id()
                && staged.producerEpoch() == producer.epoch()
                && staged.type() == type;
    }
}
