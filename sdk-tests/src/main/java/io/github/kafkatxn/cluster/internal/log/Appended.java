package io.github.kafkatxn.cluster.internal.log;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What came of an append.
 *
 * @param error {@link Errors#NONE} if it is in the log, or was before
 * @param baseOffset the offset of its first record, -1 if it was refused
 * @param logAppendTime when it was appended, -1 unless the topic's timestamps are made by the broker
 * @param message why it was refused, in words, empty if it was not
 * @param recordErrors what is wrong with single records, by their number in the batch
 */
public record Appended(
        Errors error, long baseOffset, long logAppendTime, String message, Map<Integer, String> recordErrors) {

    /**
     * It is in the log.
     *
     * @param baseOffset the offset of its first record
     * @return the result
     */
    public static Appended at(long baseOffset) {
        return at(baseOffset, RecordBatch.NO_TIMESTAMP);
    }

    static Appended at(long baseOffset, long logAppendTime) {
        return new Appended(Errors.NONE, baseOffset, logAppendTime, "", Map.of());
    }

    /**
     * It is not in the log.
     *
     * @param error why
     * @param message why, in words
     * @return the result
     */
    public static Appended refused(Errors error, String message) {
        return new Appended(error, -1, RecordBatch.NO_TIMESTAMP, message, Map.of());
    }

    /** It is not in the log, for the reason that the exception stands for. */
    static Appended refused(ApiException reason) {
        Errors error = Errors.forException(reason);
        return refused(error, Objects.requireNonNullElse(reason.getMessage(), error.message()));
    }
}
