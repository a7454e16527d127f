package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.Guarantee;
import java.util.ArrayList;
import java.util.List;

/** Counts for each input record, from 1 to n, how often it came out. Safe for several threads. */
final class Ledger {
    private static final int NAMED = 10;

    private final int[] committed;
    private final int[] deadLettered;
    private final List<String> unknown = new ArrayList<>();
    private long seen;
    private long dead;

    Ledger(int records) {
        committed = new int[records + 1];
        deadLettered = new int[records + 1];
    }

    /** How it turned out; {@code details} names the first that are wrong. What is missing is lost only at the end. */
    record Verdict(
            Guarantee guarantee,
            boolean atTheEnd,
            long input,
            long committed,
            long deadLettered,
            long missing,
            long duplicated,
            long unknown,
            String details) {
        boolean isAsPromised() {
            boolean once = duplicated == 0 || guarantee == Guarantee.AT_LEAST_ONCE;
            return once && missing == 0 && unknown == 0 && committed + deadLettered == input;
        }

        @Override
        public String toString() {
            return guarantee.toString().replace(' ', '-') + ": input " + input + ", committed " + committed
                    + ", dead-lettered " + deadLettered + ", " + word(atTheEnd) + " " + missing + ", duplicated "
                    + duplicated;
        }
    }

    synchronized void committed(String id) {
        count(committed, id);
    }

    synchronized void deadLettered(String id) {
        count(deadLettered, id);
        dead++;
    }

    /** How many of the input records have come out, in any way. */
    synchronized long seen() {
        return seen;
    }

    /** How many dead letters there are. */
    synchronized long dead() {
        return dead;
    }

    /** What has come out so far, by what was promised; {@code atTheEnd} if nothing can come any more. */
    synchronized Verdict verdict(Guarantee guarantee, boolean atTheEnd) {
        long once = 0;
        long dead = 0;
        List<Integer> missing = new ArrayList<>();
        List<Integer> duplicated = new ArrayList<>();
        for (int id = 1; id < committed.length; id++) {
            int times = committed[id] + deadLettered[id];
            once += committed[id] > 0 ? 1 : 0;
            dead += committed[id] == 0 && deadLettered[id] > 0 ? 1 : 0;
            if (times == 0) {
                missing.add(id);
            } else if (times > 1) {
                duplicated.add(id);
            }
        }
        String details =
                named(word(atTheEnd), missing) + named("duplicated", duplicated) + named("not in the input", unknown);
        return new Verdict(
                guarantee,
                atTheEnd,
                committed.length - 1,
                once,
                dead,
                missing.size(),
                duplicated.size(),
                unknown.size(),
                details);
    }

    private static String word(boolean atTheEnd) {
        return atTheEnd ? "lost" : "not out yet";
    }

    private void count(int[] times, String id) {
        int number = number(id);
        if (number < 1 || number >= times.length) {
            unknown.add(id);
            return;
        }
        seen += committed[number] + deadLettered[number] == 0 ? 1 : 0;
        times[number]++;
    }

    private static int number(String id) {
        try {
            return Integer.parseInt(id);
        } catch (NumberFormatException e) {
            return 0; // in nobody's input
        }
    }

    private static String named(String what, List<?> ids) {
        return ids.isEmpty()
                ? ""
                : what + ": " + ids.subList(0, Math.min(NAMED, ids.size()))
                        + (ids.size() > NAMED ? " and " + (ids.size() - NAMED) + " more" : "") + "\n";
    }
}
