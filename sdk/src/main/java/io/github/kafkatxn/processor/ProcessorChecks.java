package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of single settings; every message names the setting, its value and the allowed range. */
final class ProcessorChecks {
    /** What fits a clock of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private ProcessorChecks() {}

    static void range(String name, long value, long from, long to) {
        require(value >= from && value <= to, name + "=" + value + " must be from " + from + " to " + to);
    }

    static void positive(String name, Duration value) {
        require(
                value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(LONGEST) <= 0,
                name + "=" + value + " must be from 1 ms to " + LONGEST.toDays() + " days");
    }

    static void notBlank(String name, @Nullable String value) {
        require(value != null && !value.isBlank(), name + " must not be empty");
    }

    static void topics(List<String> input, @Nullable String deadLetter) {
        require(!input.isEmpty(), "inputTopics must name at least one topic");
        for (String topic : input) {
            notBlank("a name in inputTopics", topic);
            require(
                    !topic.equals(deadLetter),
                    "deadLetterTopic=" + deadLetter + " is an input topic too: a dead letter would come back for ever");
        }
        require(deadLetter == null || !deadLetter.isBlank(), "deadLetterTopic must not be empty");
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
