package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.util.Optional;

/**
 * Why a processor has stopped.
 *
 * @param kind what kind of reason it was
 * @param message what happened and what to change, in a sentence each
 * @param error the failure behind it, if there was one
 */
public record StopReason(Kind kind, String message, Optional<TxnError> error) {

    /** What kind of reason it was. */
    public enum Kind {
        /** {@code stop} or {@code close} was called, or the thread was interrupted. */
        REQUESTED,
        /** A setting or a permission has to be changed; the message names it. */
        CONFIGURATION,
        /** Another live instance uses the same transactional ids and keeps taking over. */
        FENCED,
        /** Another live member uses the same {@code group.instance.id}. */
        DUPLICATE_INSTANCE,
        /** A record could not be processed, and the policy is to stop. */
        POISON_RECORD,
        /** Recovering has failed for longer than {@code giveUpAfter}. */
        GAVE_UP,
        /** Something nobody expected, most likely a bug; the error has it. */
        UNEXPECTED
    }

    static StopReason of(Kind kind, TxnError error) {
        return new StopReason(kind, error.message(), Optional.of(error));
    }

    static StopReason requested(String message) {
        return new StopReason(Kind.REQUESTED, message, Optional.empty());
    }

    /** {@return whether it was asked to stop} */
    public boolean isRequested() {
        return kind == Kind.REQUESTED;
    }
}
