package io.github.kafkatxn.result;

import static io.github.kafkatxn.result.Action.ABORT_AND_REPLAY;
import static io.github.kafkatxn.result.Action.RECREATE;
import static io.github.kafkatxn.result.Action.RETRY_CALL;
import static io.github.kafkatxn.result.Action.STOP;

import io.github.kafkatxn.result.ErrorClassifier.Condition;

/**
 * What to do next, from the operation, the kind of exception and what is known of the producer.
 *
 * <p>Two rules are behind every line: no replay after a commit that may have been applied, and no loop. A replay is
 * only ever offered behind an abort, which the coordinator refuses once the transaction is committed.
 */
final class Actions {
    private Actions() {}

    static Action of(Operation operation, ExceptionKind kind, Condition condition) {
        return switch (operation) {
            case INIT -> init(kind);
            case BEGIN -> begin(kind, condition);
            case SEND, SEND_OFFSETS, SEND_SHARE_ACKNOWLEDGEMENTS -> inTransaction(operation, kind, condition);
            case COMMIT -> commit(kind, condition);
            case ABORT -> abort(kind, condition);
            case CLOSE -> close(kind, condition);
            case POLL -> poll(kind);
            case TRANSFORM -> kind == ExceptionKind.RECORD ? STOP : abortFirst(condition);
        };
    }

    /** Nothing but waiting and fencing is cured by another producer: anything else would be a loop of new producers. */
    private static Action init(ExceptionKind kind) {
        return switch (kind) {
            case TIMEOUT, INTERRUPTED, RETRIABLE, REFRESH_RETRIABLE -> RETRY_CALL;
            case EPOCH, FENCED -> RECREATE;
            default -> STOP;
        };
    }

    private static Action begin(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case TIMEOUT, INTERRUPTED, RETRIABLE, REFRESH_RETRIABLE ->
                condition == Condition.COMPLETING || condition == Condition.UNUSABLE ? RECREATE : RETRY_CALL;
            case DUPLICATE_INSTANCE, CONFIGURATION, ACCESS -> STOP;
            case USAGE, ARGUMENT -> misuse(condition);
            default -> RECREATE;
        };
    }

    private static Action inTransaction(Operation operation, ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case FENCED, FORGOTTEN, COMMIT_PENDING -> RECREATE;
            // On the produce path an old epoch comes from a timeout as well as from another instance: the abort tells
            // which it was. The coordinators say it of a producer that is finished.
            case EPOCH, INVALID_TXN_STATE ->
                operation == Operation.SEND ? abortFirst(condition) : onlyIfAborted(condition);
            case DUPLICATE_INSTANCE, RECORD, CONFIGURATION, ACCESS -> STOP;
            case USAGE, ARGUMENT -> misuse(condition);
            default -> abortFirst(condition);
        };
    }

    private static Action commit(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case TIMEOUT, INTERRUPTED, RETRIABLE, REFRESH_RETRIABLE ->
                switch (condition) {
                    case ABORTED -> ABORT_AND_REPLAY;
                    case UNUSABLE -> RECREATE;
                    case NEW, USABLE, COMPLETING -> RETRY_CALL;
                };
            case ABORTABLE, SEQUENCE, MEMBERSHIP, GROUP_MISMATCH -> abortFirst(condition);
            case DUPLICATE_INSTANCE, RECORD, CONFIGURATION, ACCESS -> STOP;
            case FENCED, FORGOTTEN, COMMIT_PENDING -> RECREATE;
            case USAGE -> misuse(condition);
            case EPOCH, INVALID_TXN_STATE, ARGUMENT, UNKNOWN -> onlyIfAborted(condition);
        };
    }

    /** Waiting can be repeated; whatever else an abort meets, the producer is finished. */
    private static Action abort(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case TIMEOUT, INTERRUPTED -> condition == Condition.UNUSABLE ? RECREATE : RETRY_CALL;
            case CONFIGURATION, ACCESS -> STOP;
            case USAGE -> misuse(condition);
            default -> RECREATE;
        };
    }

    /** A close that did not get through leaves the rest to the next producer with the same transactional id. */
    private static Action close(ExceptionKind kind, Condition condition) {
        return kind.isWaiting() && condition == Condition.COMPLETING ? RECREATE : abort(kind, condition);
    }

    /** The consumer deals with a passing condition in its next poll; it documents everything else as final. */
    private static Action poll(ExceptionKind kind) {
        boolean rejoins = kind == ExceptionKind.MEMBERSHIP || kind == ExceptionKind.GROUP_MISMATCH;
        return kind.isWaiting() || rejoins ? RETRY_CALL : STOP;
    }

    /** A call that is not legal now: a mistake in the program, unless an end is pending, which must be settled. */
    private static Action misuse(Condition condition) {
        return condition == Condition.COMPLETING || condition == Condition.UNUSABLE ? RECREATE : STOP;
    }

    /** The producer is expected to live; if it does not, the abort that comes first says so. */
    private static Action abortFirst(Condition condition) {
        return condition == Condition.UNUSABLE ? RECREATE : ABORT_AND_REPLAY;
    }

    /** The producer is expected to be finished; only an abort that has succeeded proves the contrary. */
    private static Action onlyIfAborted(Condition condition) {
        return condition == Condition.ABORTED ? ABORT_AND_REPLAY : RECREATE;
    }
}
