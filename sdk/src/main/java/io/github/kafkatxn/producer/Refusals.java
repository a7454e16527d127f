package io.github.kafkatxn.producer;

import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.Map;

/** Calls that are refused before anything is sent: they change nothing, and the open transaction goes on. */
final class Refusals {
    private Refusals() {}

    static TxnError refused(Operation operation, Action action, String why) {
        String message = operation + " refused: " + why;
        return error(operation, action, new IllegalStateException(message), false, message);
    }

    /** Another thread has closed the producer during a call: a commit that was asked for may have gone through. */
    static TxnError closedMeanwhile(Operation operation, Throwable failure, boolean inDoubt) {
        String message = operation + " failed: the producer was closed meanwhile."
                + (inDoubt ? " Whether the transaction was committed is not known." : "")
                + " Next: create a producer with the same transactional.id, and go on from the committed offsets.";
        return error(operation, Action.RECREATE, failure, inDoubt, message);
    }

    /** The words are the client's own; there is no other way to ask it. */
    static boolean isWithoutEpoch(RuntimeException begin) {
        return begin instanceof IllegalStateException
                && String.valueOf(begin.getMessage()).contains("from state INITIALIZING");
    }

    /**
     * kafka-clients 4.4.0 needs a new epoch after records that were not delivered, and asks for it when it asks for the
     * abort. If it learns of them only then, it waits for ever for what it has not asked for.
     */
    static TxnError withoutEpoch(RuntimeException begin) {
        String message = "begin failed: the client has not asked for the new epoch that it needs, because records were"
                + " given up while the transaction before was being aborted. That abort is complete. Next: close this"
                + " producer, and create one with the same transactional.id";
        return error(Operation.BEGIN, Action.RECREATE, begin, false, message);
    }

    static TxnError otherThread(Operation operation, Thread owner) {
        return refused(
                operation,
                Action.STOP,
                "thread " + Thread.currentThread().getName() + " does not own this" + " transaction, thread "
                        + owner.getName() + " does; only the thread that began it may use it");
    }

    static TxnError ended(Operation operation) {
        return refused(
                operation,
                Action.STOP,
                "this transaction has ended; use the handle that the latest" + " beginTransaction() returned");
    }

    static TxnError fromCallback(Operation operation) {
        return refused(
                operation,
                Action.STOP,
                "called from a send callback, which runs on the thread that has to do"
                        + " the sending; take note in the callback and act on the owner's thread");
    }

    private static TxnError inDoubt(TxnError error) {
        return error(error.operation(), error.action(), error.cause(), true, error.message());
    }

    private static TxnError error(
            Operation operation, Action action, Throwable cause, boolean inDoubt, String message) {
        return new TxnError(
                operation, ErrorCategory.APPLICATION_RECOVERABLE, action, cause, Map.of(), inDoubt, false, message);
    }

    /**
     * {@return why a call does not fit the state, and what does} Never that it be repeated: whoever does what the
     * action says would repeat it for ever. That the pending call itself may be is for the message to say.
     */
    static TxnError wrongState(Operation operation, ProducerState state) {
        return switch (state) {
            case NEW -> refused(operation, Action.STOP, "call init() first");
            case READY -> refused(operation, Action.STOP, "no transaction is open");
            case IN_TRANSACTION, MUST_ABORT ->
                refused(operation, Action.STOP, "a transaction is open; commit or abort" + " it first");
            case COMMIT_PENDING ->
                inDoubt(refused(
                        operation,
                        Action.RECREATE,
                        "a commit has not been answered yet, the"
                                + " transaction may be committed; repeat commit, or close this producer and create one with the same"
                                + " transactional.id"));
            case ABORT_PENDING ->
                refused(
                        operation,
                        Action.RECREATE,
                        "an abort has not been answered yet; repeat"
                                + " abort, or close this producer and create one with the same transactional.id");
            case DEAD ->
                refused(
                        operation,
                        Action.RECREATE,
                        "this producer has failed for good; close it, create one"
                                + " with the same transactional.id, and go on from the committed offsets");
            case CLOSED -> refused(operation, Action.RECREATE, "this producer is closed");
        };
    }
}
