package io.github.kafkatxn.cluster.internal.log;

import org.apache.kafka.common.protocol.Errors;

/**
 * What the leader of a partition has to do before it appends a transactional batch (KIP-890).
 *
 * @param error why the batch will not be taken whatever the coordinator says, else {@link Errors#NONE}
 * @param message the same in words
 * @param needed whether the coordinator has to be asked
 * @param guard to be given with the append
 */
public record Verification(Errors error, String message, boolean needed, VerificationGuard guard) {

    /**
     * The batch will not be taken.
     *
     * @param error why
     * @param message the same in words
     * @return the result
     */
    public static Verification refused(Errors error, String message) {
        return new Verification(error, message, false, VerificationGuard.NONE);
    }

    static Verification notNeeded() {
        return new Verification(Errors.NONE, "", false, VerificationGuard.NONE);
    }

    static Verification needed(VerificationGuard guard) {
        return new Verification(Errors.NONE, "", true, guard);
    }
}
