package io.github.kafkatxn.differential;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One line of a scenario: a request, and what Kafka answers.
 *
 * @param place file and line
 * @param text the line, with its variables filled in
 * @param verb which request
 * @param version its version
 * @param values what has a value: {@code e0}, {@code p0,1}, {@code id=a}
 * @param flags words alone: {@code COMMIT}, {@code waits}
 * @param expected the words after the arrow, none without an arrow
 */
record Step(
        String place,
        String text,
        Verb verb,
        short version,
        Map<String, String> values,
        Set<String> flags,
        List<String> expected) {

    boolean has(String flag) {
        return flags.contains(flag);
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    String text(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    int number(String key, int otherwise) {
        return value(key).map(value -> parse(key, value)).orElse(otherwise);
    }

    /** The partitions {@code p}; 0 if none is named. */
    List<Integer> partitions() {
        return Arrays.stream(text("p", "0").split(","))
                .map(value -> parse("p", value))
                .toList();
    }

    private int parse(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw wrong("the value of " + key + " is not a number");
        }
    }

    /** The same step, which says nothing of this. */
    Step without(String key) {
        Map<String, String> others = new HashMap<>(values);
        others.remove(key);
        return new Step(place, text, verb, version, others, flags, expected);
    }

    /** Every expected word is in the answer, and the first is first. */
    boolean accepts(String answer) {
        List<String> words = List.of(answer.split(" "));
        return expected.isEmpty() || (expected.get(0).equals(words.get(0)) && words.containsAll(expected));
    }

    IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(place + ": " + why + ": " + text);
    }
}
