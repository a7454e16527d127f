package io.github.kafkatxn.cluster.internal.group;

/**
 * How far a classic group is with its rebalance: Empty → PreparingRebalance → CompletingRebalance → Stable, back to
 * PreparingRebalance from both, or to Empty.
 */
enum ClassicState {
    EMPTY("Empty"),
    PREPARING_REBALANCE("PreparingRebalance"),
    COMPLETING_REBALANCE("CompletingRebalance"),
    STABLE("Stable");

    private final String text;

    ClassicState(String text) {
        this.text = text;
    }

    /** {@return its name as clients know it} */
    String text() {
        return text;
    }
}
