package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.jspecify.annotations.Nullable;

/** Which failures a processor cannot go on from. */
final class StopReasons {
    private StopReasons() {}

    /** {@return why to stop after a failed batch, or null: a record at fault is isolated first} */
    static @Nullable StopReason of(Failed failed) {
        TxnError error = failed.error();
        if (error.recordLevel() && failed.batch().deadLetter() != null) {
            return StopReason.of(Kind.POISON_RECORD, error.withDetail("It could not be dead-lettered either."));
        }
        boolean isolate = failed.record() != null || error.recordLevel();
        return error.action() == Action.STOP && !isolate ? of(error) : null;
    }

    /** {@return why clients could not be made: the client wraps what is wrong with its configuration} */
    static StopReason onCreation(RuntimeException failure) {
        Throwable cause =
                failure instanceof KafkaException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof InterruptException || cause instanceof InterruptedException
                ? StopReason.requested("The processor was interrupted while it was starting.")
                : of(ErrorClassifier.classify(Operation.INIT, cause, Condition.NEW));
    }

    static StopReason of(TxnError error) {
        if (error.cause() instanceof FencedInstanceIdException
                || error.cause() instanceof UnreleasedInstanceIdException) {
            return StopReason.of(
                    Kind.DUPLICATE_INSTANCE,
                    error.withDetail("Another live member of the group has the"
                            + " same group.instance.id: give each instance its own."));
        }
        // The client says no to an init for nothing but what it was given, and not always with a class of its own.
        boolean configuration = error.category() == ErrorCategory.INVALID_CONFIGURATION
                || (error.operation() == Operation.INIT && error.cause() instanceof KafkaException);
        return StopReason.of(configuration ? Kind.CONFIGURATION : Kind.UNEXPECTED, error);
    }
}
