package io.github.kafkatxn.examples.job;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts by name, which an instance reports as a line of {@code name=count}. Safe for several threads. */
final class Tally {
    static final String RECORDS = "records";
    static final String DEAD_LETTERS = "dead-letters";
    static final String TRANSACTIONS = "transactions";
    static final String IN_DOUBT = "in-doubt";
    static final String RETRIES = "retries";
    static final String REWINDS = "rewinds";
    static final String REBUILT = "rebuilt";
    static final String POSSIBLE_DUPLICATES = "possible-duplicates";
    static final String PROCESSES = "processes";
    /** With the outcome and the category after it. */
    static final String ENDED = "ended:";

    static final String BY_THE_APPLICATION = "by-the-application";

    private static final String END = "end";

    private final Map<String, Long> counts = new TreeMap<>();

    synchronized void add(String name, long count) {
        counts.merge(name, count, Long::sum);
    }

    synchronized long get(String name) {
        return counts.getOrDefault(name, 0L);
    }

    synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    void addAll(Tally other) {
        other.counts().forEach(this::add);
    }

    String toLine() {
        StringBuilder line = new StringBuilder();
        counts().forEach((name, count) ->
                line.append(name).append('=').append(count).append(' '));
        return line.append(END).toString();
    }

    /** What a line says; nothing if it is not a whole line, because whoever wrote it was killed. */
    static Optional<Tally> parse(String line) {
        if (!line.endsWith(END)) {
            return Optional.empty();
        }
        Tally tally = new Tally();
        for (String entry : line.substring(0, line.length() - END.length()).split(" ", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                tally.add(entry.substring(0, equals), Long.parseLong(entry.substring(equals + 1)));
            }
        }
        return Optional.of(tally);
    }
}
