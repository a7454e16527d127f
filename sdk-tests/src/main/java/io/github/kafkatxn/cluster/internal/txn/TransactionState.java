package io.github.kafkatxn.cluster.internal.txn;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of a transactional id, by Kafka's names and numbers. A state has only its legal moves:
 *
 * <pre>
 * Empty ──► Ongoing ──► PrepareCommit ──► CompleteCommit ──► Ongoing, Empty
 *              │
 *              ├──────► PrepareAbort ───► CompleteAbort ───► Ongoing, Empty
 *              └──► PrepareEpochFence ──► PrepareAbort
 * </pre>
 *
 * Under transaction version 2 an abort without a transaction goes from Empty, CompleteCommit and CompleteAbort to
 * PrepareAbort as well.
 */
public enum TransactionState {
    /** No transaction, or none yet. */
    EMPTY(0, "Empty"),
    /** A transaction is open. */
    ONGOING(1, "Ongoing"),
    /** Commit is decided; markers are being written. */
    PREPARE_COMMIT(2, "PrepareCommit"),
    /** Abort is decided; markers are being written. */
    PREPARE_ABORT(3, "PrepareAbort"),
    /** The last transaction is committed. */
    COMPLETE_COMMIT(4, "CompleteCommit"),
    /** The last transaction is aborted. */
    COMPLETE_ABORT(5, "CompleteAbort"),
    /** The id expires. */
    DEAD(6, "Dead"),
    /** The producer is being replaced; in memory only. */
    PREPARE_EPOCH_FENCE(7, "PrepareEpochFence");

    private static final Map<TransactionState, Set<TransactionState>> BEFORE = before();

    private final byte id;
    private final String title;

    TransactionState(int id, String title) {
        this.id = (byte) id;
        this.title = title;
    }

    /** {@return its number in the log} */
    public byte id() {
        return id;
    }

    /** {@return its name as Kafka shows it} */
    public String title() {
        return title;
    }

    /**
     * The state of a number.
     *
     * @param id the number in the log
     * @return the state
     */
    static TransactionState ofId(byte id) {
        return Arrays.stream(values())
                .filter(state -> state.id == id)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no transaction state " + id));
    }

    /**
     * The state of a name.
     *
     * @param title as Kafka shows it
     * @return the state, empty if there is none of that name
     */
    public static Optional<TransactionState> named(String title) {
        return Arrays.stream(values())
                .filter(state -> state.title.equals(title))
                .findFirst();
    }

    boolean mayFollow(TransactionState before) {
        return BEFORE.getOrDefault(this, Set.of()).contains(before);
    }

    /** {@return whether markers of a decided transaction are being written} */
    boolean isPrepared() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }

    private static Map<TransactionState, Set<TransactionState>> before() {
        Map<TransactionState, Set<TransactionState>> before = new EnumMap<>(TransactionState.class);
        before.put(EMPTY, EnumSet.of(EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT));
        before.put(ONGOING, EnumSet.of(ONGOING, EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT));
        before.put(PREPARE_COMMIT, EnumSet.of(ONGOING));
        before.put(PREPARE_ABORT, EnumSet.of(ONGOING, PREPARE_EPOCH_FENCE, EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT));
        before.put(COMPLETE_COMMIT, EnumSet.of(PREPARE_COMMIT));
        before.put(COMPLETE_ABORT, EnumSet.of(PREPARE_ABORT));
        before.put(DEAD, EnumSet.of(EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT));
        before.put(PREPARE_EPOCH_FENCE, EnumSet.of(ONGOING));
        return before;
    }
}
