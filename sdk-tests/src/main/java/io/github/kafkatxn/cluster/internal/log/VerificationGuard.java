package io.github.kafkatxn.cluster.internal.log;

/**
 * Says that a transaction was verified with its coordinator, and that no marker and no batch of the same producer has
 * come in between: the partition knows its guard again as long as that holds. Two guards are equal only if they are the
 * same.
 */
public final class VerificationGuard {
    /** Nothing was verified. */
    public static final VerificationGuard NONE = new VerificationGuard();

    VerificationGuard() {}
}
