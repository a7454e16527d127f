package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A share partition at its leader: who has which record. What members say counts once its share coordinator keeps it;
 * who holds a record is not kept. Belongs to the node's thread.
 */
public final class SharePartition {
    private final List<Runnable> watchers = new ArrayList<>();
    private final Set<StagingPlan> staging = new LinkedHashSet<>();
    private final SharePartitionKey key;
    private final LedPartition led;
    private final EventLoop loop;
    private final ShareSettings settings;
    private final ShareStates states;
    private final Consumer<SharePartition> onFenced;
    private final int stateEpoch;
    private final Window window;
    private final LockTimer locks;
    private boolean fenced;

    SharePartition(
            SharePartitionKey key,
            LedPartition led,
            EventLoop loop,
            ShareSettings settings,
            ShareStates states,
            Stored stored,
            long start,
            Consumer<SharePartition> onFenced) {
        this.key = key;
        this.led = led;
        this.loop = loop;
        this.settings = settings;
        this.states = states;
        this.onFenced = onFenced;
        this.stateEpoch = stored.stateEpoch();
        this.window = new Window(start, stored.batches());
        this.locks = new LockTimer(loop, window, this::expire);
    }

    /** {@return which share partition} */
    public SharePartitionKey key() {
        return key;
    }

    /** {@return whether it is of no use any more: another one has its place, here or elsewhere} */
    public boolean isFenced() {
        return fenced;
    }

    /** {@return whether acknowledgements are being staged: until that is known, only this leader may deliver them} */
    boolean isStaging() {
        return !staging.isEmpty();
    }

    LedPartition led() {
        return led;
    }

    /**
     * Wants to know when records may have become available.
     *
     * @param watcher told after it has happened
     */
    public void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    /**
     * Does not want to know any more.
     *
     * @param watcher who watched
     */
    public void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /**
     * How much could be read now, without acquiring it.
     *
     * @param maxBytes how much is wanted
     * @return the bytes
     */
    public int readable(int maxBytes) {
        long first = Math.max(window.nextAvailable(), led.log().startOffset());
        boolean full = first >= window.end() && window.size() >= settings.maxLocks();
        return full || fenced
                ? 0
                : led.log()
                        .read(first, maxBytes, settings.committedOnly(), true)
                        .sizeInBytes();
    }

    /**
     * A member gets records that nobody has.
     *
     * @param wanted how many
     * @return them
     */
    public Acquired acquire(Acquired.Wanted wanted) {
        if (fenced) {
            return Acquired.NOTHING;
        }
        Acquisition acquisition = new Acquisition(window, led.log(), settings, wanted, loop.millis());
        Acquired acquired = acquisition.run();
        locks.arm();
        return acquired;
    }

    /**
     * A member says what became of records. All of it counts, or nothing.
     *
     * @param memberId the member
     * @param batches what it says, in the form a broker takes
     * @param done told what came of it
     */
    public void acknowledge(String memberId, List<Acknowledgement> batches, Consumer<Errors> done) {
        AckRules.Checked checked = AckRules.acknowledge(window, memberId, batches, settings.deliveryLimit());
        if (checked.error() != Errors.NONE) {
            done.accept(checked.error());
            return;
        }
        if (!checked.renewed().isEmpty() && !settings.mayRenew()) {
            done.accept(Errors.INVALID_RECORD_STATE);
            return;
        }
        checked.renewed().forEach(entry -> entry.renew(loop.millis() + settings.lockMs()));
        change(checked.changes(), null, done, error -> {
            if (error == Errors.NONE) {
                checked.changes().forEach((offset, change) -> entry(offset).become(change.state()));
            }
        });
    }

    /**
     * A member acknowledges records in a transaction: looks at it, and keeps others from changing them meanwhile.
     *
     * @param memberId the member
     * @param producer whose transaction
     * @param batches what it says, in the form a broker takes
     * @return what to do; it is to be staged or dropped
     */
    public StagingPlan plan(String memberId, Producer producer, List<Acknowledgement> batches) {
        AckRules.Checked checked =
                AckRules.stage(window, memberId, producer, batches, settings.deliveryLimit(), loop.millis());
        checked.changes().keySet().forEach(offset -> entry(offset).changing(true));
        return new StagingPlan(this, producer, checked.changes(), checked.error());
    }

    void stage(StagingPlan plan, Consumer<Errors> done) {
        staging.add(plan);
        change(plan.changes(), plan.producer(), done, error -> {
            staging.remove(plan);
            if (error == Errors.NONE) {
                plan.changes().forEach((offset, change) -> {
                    if (change.staging() != null) {
                        entry(offset).stage(change.staging());
                    }
                });
                plan.ended().ifPresent(this::end);
            }
        });
    }

    void drop(StagingPlan plan) {
        if (!fenced) {
            plan.changes().keySet().forEach(offset -> entry(offset).changing(false));
            expire();
        }
    }

    /** A transaction has ended. Comes again without effect. */
    void end(Marker marker) {
        staging.forEach(plan -> plan.end(marker));
        window.offsets().values().forEach(entry -> {
            Staging staged = entry.staging();
            if (staged != null && staged.isEndedBy(marker)) {
                if (marker.commit()) {
                    entry.become(staged.target());
                } else {
                    entry.unstage(loop.millis() + staged.lockLeftMs());
                }
            }
        });
        changed();
    }

    /**
     * A member gives back what it holds. What it has staged in a transaction stays.
     *
     * @param memberId the member
     */
    public void release(String memberId) {
        List<Long> released = new ArrayList<>();
        window.offsets().forEach((offset, entry) -> {
            if (entry.isHeldBy(memberId)) {
                entry.become(AckType.released(entry.deliveryCount(), settings.deliveryLimit()));
                released.add(offset);
            }
        });
        keep(released);
    }

    /**
     * A record as it is now.
     *
     * @param offset its offset
     * @param state where it is
     * @param memberId who holds it, empty if nobody does
     * @param deliveryCount how often it was delivered
     * @param staging of TX_PENDING, else null
     */
    public record View(
            long offset,
            RecordState state,
            String memberId,
            int deliveryCount,
            @Nullable Staging staging) {}

    /** {@return the records from there on that anybody has seen} */
    public List<View> view() {
        List<View> views = new ArrayList<>();
        window.offsets()
                .forEach((offset, entry) -> views.add(
                        new View(offset, entry.state(), entry.memberId(), entry.deliveryCount(), entry.staging())));
        return views;
    }

    /** It has no use any more. Who waits for its records is told. */
    void fence() {
        fenced = true;
        locks.cancel();
        List.copyOf(watchers).forEach(Runnable::run);
    }

    private InFlight entry(long offset) {
        InFlight entry = window.get(offset);
        if (entry == null) {
            throw new IllegalStateException("offset " + offset + " of " + key + " is not in the window");
        }
        return entry;
    }

    /** Keeps changes, then makes them. */
    private void change(
            Map<Long, StateBatch> changes,
            @Nullable Producer producer,
            Consumer<Errors> done,
            Consumer<Errors> whenKept) {
        if (changes.isEmpty()) {
            whenKept.accept(Errors.NONE);
            locks.arm();
            done.accept(Errors.NONE);
            return;
        }
        changes.keySet().forEach(offset -> entry(offset).changing(true));
        states.write(key, window.withChanges(stateEpoch, led.leaderEpoch(), changes), producer, error -> {
            if (!fenced) {
                changes.keySet().forEach(offset -> entry(offset).changing(false));
                whenKept.accept(error);
                if (isOutdated(error)) {
                    onFenced.accept(this);
                } else {
                    expire();
                    changed();
                }
            }
            done.accept(toClient(error));
        });
    }

    /** Keeps what has happened already; the next leader may know it or not. */
    private void keep(List<Long> offsets) {
        if (!offsets.isEmpty()) {
            Map<Long, StateBatch> changes = new TreeMap<>();
            for (long offset : offsets) {
                InFlight entry = entry(offset);
                changes.put(offset, new StateBatch(offset, offset, entry.state(), entry.deliveryCount(), null));
            }
            states.write(key, window.withChanges(stateEpoch, led.leaderEpoch(), changes), null, error -> {
                if (!fenced && isOutdated(error)) {
                    onFenced.accept(this);
                }
            });
            changed();
        }
    }

    private static boolean isOutdated(Errors error) {
        return switch (error) {
            case FENCED_LEADER_EPOCH,
                    FENCED_STATE_EPOCH,
                    INVALID_REQUEST,
                    GROUP_ID_NOT_FOUND,
                    UNKNOWN_TOPIC_OR_PARTITION -> true;
            default -> false;
        };
    }

    private static Errors toClient(Errors error) {
        return switch (error) {
            case FENCED_LEADER_EPOCH, FENCED_STATE_EPOCH -> Errors.NOT_LEADER_OR_FOLLOWER;
            case INVALID_REQUEST -> Errors.UNKNOWN_TOPIC_OR_PARTITION;
            default -> error;
        };
    }

    private void changed() {
        window.advance();
        locks.arm();
        List.copyOf(watchers).forEach(Runnable::run);
    }

    private void expire() {
        long now = loop.millis();
        List<Long> expired = new ArrayList<>();
        window.offsets().forEach((offset, entry) -> {
            if (entry.isLocked() && entry.lockedUntil() <= now) {
                entry.become(AckType.released(entry.deliveryCount(), settings.deliveryLimit()));
                expired.add(offset);
            }
        });
        keep(expired);
    }
}
