package io.github.kafkatxn.differential;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A sequence of requests that needs nothing from before it: its ids, groups and topics are its own.
 *
 * @param name unique: file, name in the file, values of its variables
 * @param place file and line of its head
 * @param steps the requests
 */
record Scenario(String name, String place, List<Step> steps) {
    /** Partition numbers from here on do not exist. */
    static final int NO_PARTITION = 90;

    /** Names of topics that are never there, two of them because they are none. */
    private static final Set<String> NOT_THERE = Set.of("none", "empty", "no/name");

    /** The topics to create before it starts: {@code topic=none} is never there, and it may create some itself. */
    Set<String> topics() {
        Set<String> topics = new TreeSet<>();
        for (Step step : steps) {
            if (step.verb().knows("topic")) {
                topics.add(step.text("topic", "topic"));
            }
        }
        topics.removeAll(NOT_THERE);
        steps.stream()
                .filter(step -> step.verb().name().equals("CreateTopic"))
                .forEach(step -> topics.remove(step.text("topic", "topic")));
        return topics;
    }

    /** What it begins with, as far as that configures groups. */
    Scenario configuration() {
        return new Scenario(
                name,
                place,
                steps.stream()
                        .takeWhile(step -> step.verb().name().equals("GroupConfig"))
                        .toList());
    }

    /** How many partitions its topics need. */
    int partitions() {
        return steps.stream()
                        .flatMap(step -> step.partitions().stream())
                        .filter(partition -> partition < NO_PARTITION)
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0)
                + 1;
    }

    @Override
    public String toString() {
        return name;
    }
}
