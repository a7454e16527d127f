package io.github.kafkatxn.result;

import static io.github.kafkatxn.result.Action.ABORT_AND_REPLAY;
import static io.github.kafkatxn.result.Action.RECREATE;
import static io.github.kafkatxn.result.Action.RETRY_CALL;
import static io.github.kafkatxn.result.Action.STOP;

import io.github.kafkatxn.result.ErrorClassifier.Condition;

/** What to do next, from the operation, the kind of exception and what is known of the producer. */
final class Actions {
    private Actions() {}

    static Action of(Operation operation, ExceptionKind kind, Condition condition) {
        return switch (operation) {
            case INIT -> init(kind);
            case BEGIN -> begin(kind, condition);
            case SEND -> send(kind, condition);
            case SEND_OFFSETS, SEND_SHARE_ACKNOWLEDGEMENTS -> sendOffsets(kind, condition);
            case COMMIT -> commit(kind, condition);
            case ABORT, CLOSE -> end(kind, condition);
            case POLL -> poll(kind);
            case TRANSFORM -> ABORT_AND_REPLAY;
        };
    }

    /** Nothing but waiting and fencing is cured by another producer: anything else would be a loop of new producers. */
    private static Action init(ExceptionKind kind) {
        return switch (kind) {
            case RETRIABLE, REFRESH_RETRIABLE, INTERRUPTED -> RETRY_CALL;
            case EPOCH, FENCED -> RECREATE;
            default -> STOP;
        };
    }

    private static Action begin(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case CONFIGURATION -> STOP;
            case USAGE -> condition == Condition.USABLE ? STOP : RECREATE;
            default -> RECREATE;
        };
    }

    private static Action send(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case FENCED -> RECREATE;
            case RECORD, CONFIGURATION, USAGE -> STOP;
            // An old epoch comes from a timeout as well as from another instance: the abort tells which it was.
            default -> afterAbort(condition);
        };
    }

    private static Action sendOffsets(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case EPOCH, FENCED -> RECREATE;
            case DUPLICATE_INSTANCE, RECORD, CONFIGURATION, USAGE -> STOP;
            default -> afterAbort(condition);
        };
    }

    private static Action commit(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case RETRIABLE, REFRESH_RETRIABLE, INTERRUPTED -> RETRY_CALL;
            case ABORTABLE, SEQUENCE -> afterAbort(condition);
            case RECORD, CONFIGURATION -> STOP;
            // Says nothing by itself; whether an abort succeeded does.
            case UNKNOWN -> condition == Condition.ABORTED ? ABORT_AND_REPLAY : RECREATE;
            default -> RECREATE;
        };
    }

    /** Waiting can be repeated; whatever else an abort or a close meets, the producer is finished. */
    private static Action end(ExceptionKind kind, Condition condition) {
        return switch (kind) {
            case RETRIABLE, REFRESH_RETRIABLE, INTERRUPTED -> condition == Condition.UNUSABLE ? RECREATE : RETRY_CALL;
            case CONFIGURATION -> STOP;
            default -> RECREATE;
        };
    }

    private static Action poll(ExceptionKind kind) {
        return switch (kind) {
            case CONFIGURATION, USAGE, RECORD, DUPLICATE_INSTANCE -> STOP;
            default -> RETRY_CALL;
        };
    }

    private static Action afterAbort(Condition condition) {
        return condition == Condition.UNUSABLE ? RECREATE : ABORT_AND_REPLAY;
    }
}
