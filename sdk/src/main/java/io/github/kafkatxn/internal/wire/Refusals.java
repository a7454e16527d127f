package io.github.kafkatxn.internal.wire;

import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Exceptions for error codes, with what they are about in the message. */
final class Refusals {
    private Refusals() {}

    static ApiException of(Errors error, String topic) {
        String message = "topic " + topic + ": " + error.message();
        return error == Errors.TOPIC_AUTHORIZATION_FAILED
                ? new TopicAuthorizationException(message, Set.of(topic))
                : error.exception(message);
    }

    /** {@return the failure, or null if there is none} */
    static @Nullable ApiException of(Errors error, TopicPartition partition, String group) {
        return switch (error) {
            case NONE -> null;
            case TOPIC_AUTHORIZATION_FAILED -> of(error, partition.topic());
            case GROUP_AUTHORIZATION_FAILED -> GroupAuthorizationException.forGroupId(group);
            default -> error.exception(partition + " in the group " + group + ": " + error.message());
        };
    }

    /** {@return whether the same question may be answered otherwise a little later} */
    static boolean passes(Throwable failure) {
        return failure instanceof RetriableException && !(failure instanceof TopicIds.Recreated);
    }

    /**
     * {@return the failure that decides what to do} What ends the producer goes before what needs a person, and that
     * before what an abort is enough for.
     */
    static ApiException decisive(Map<TopicPartition, ApiException> failures) {
        Map<TopicPartition, ApiException> inOrder = new TreeMap<>(Comparator.comparing(TopicPartition::toString));
        inOrder.putAll(failures);
        return inOrder.values().stream()
                .filter(failure -> failures.values().stream().noneMatch(other -> weight(other) > weight(failure)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * What to say of each partition when the deadline has passed.
     *
     * @param open those that were not accepted
     * @param said what was said last of some of them
     * @param last why the last attempt failed; if something was said of others, that may be about those others alone
     * @param deadline which has passed
     * @return for each open partition
     */
    static Map<TopicPartition, Throwable> late(
            Set<TopicPartition> open, Map<TopicPartition, ApiException> said, ApiException last, Deadline deadline) {
        Map<TopicPartition, Throwable> failures = new HashMap<>();
        for (TopicPartition partition : open) {
            ApiException own = said.get(partition);
            if (own == null) {
                own = said.isEmpty()
                        ? last
                        : new TimeoutException(partition + " was held up by other partitions of the same call for "
                                + deadline.limit().toMillis() + " ms");
            }
            failures.put(partition, own);
        }
        return failures;
    }

    private static int weight(ApiException failure) {
        if (passes(failure)) {
            return 0;
        }
        Action action = ErrorClassifier.classify(Operation.SEND_OFFSETS, failure, Condition.USABLE)
                .action();
        return switch (action) {
            case RECREATE -> 3;
            case STOP -> 2;
            case ABORT_AND_REPLAY, RETRY_CALL -> 1;
        };
    }
}
