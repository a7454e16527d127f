package io.github.kafkatxn.producer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.Errors;

/**
 * Gives back the type to failures that the client reports as a bare {@link KafkaException}: where a coordinator answers
 * with an error that the client does not expect there (a transaction timeout above the broker's maximum, a topic whose
 * offsets may not be committed), it keeps only the error's text behind words of its own.
 */
final class BareFailures {
    private static final List<String> PREFIXES = List.of(
            "Unexpected error in InitProducerIdResponse; ",
            "Unexpected error in TxnOffsetCommitResponse: ",
            "Unexpected error in AddOffsetsToTxnResponse: ");

    private static final Map<String, Errors> BY_TEXT = byText();

    private BareFailures() {}

    /** {@return the exception of the error that a bare failure quotes; every other failure as it is} */
    static Throwable typed(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || failure.getClass() != KafkaException.class) {
            return failure;
        }
        for (String prefix : PREFIXES) {
            Errors error = message.startsWith(prefix) ? BY_TEXT.get(message.substring(prefix.length())) : null;
            if (error != null) {
                Throwable typed = error.exception(message);
                typed.addSuppressed(failure);
                return typed;
            }
        }
        return failure;
    }

    private static Map<String, Errors> byText() {
        Map<String, Errors> errors = new HashMap<>();
        for (Errors error : Errors.values()) {
            if (error != Errors.NONE) {
                errors.put(error.message(), error);
            }
        }
        return Map.copyOf(errors);
    }
}
