package io.github.kafkatxn.examples.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The table of what the instances went through, one column each and their sum. */
final class Report {
    private static final Map<String, String> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put(Tally.PROCESSES, "processes started");
        ROWS.put(Tally.RECORDS, "records committed");
        ROWS.put(Tally.DEAD_LETTERS, "dead letters");
        ROWS.put(Tally.TRANSACTIONS, "transactions committed");
        ROWS.put(Tally.IN_DOUBT, "commits in doubt");
        ROWS.put(Tally.REWINDS, "rewinds");
        ROWS.put(Tally.REBUILT, "producers rebuilt");
        ROWS.put(Tally.RETRIES, "calls repeated");
        ROWS.put(Tally.POSSIBLE_DUPLICATES, "records that may come out again");
    }

    private Report() {}

    /** A line for each count; those of what is not exactly once, or not committed, only where there was one. */
    static String table(Map<String, Tally> instances) {
        Tally total = new Tally();
        instances.values().forEach(total::addAll);
        Map<String, String> rows = new LinkedHashMap<>();
        ROWS.forEach((name, label) -> {
            if (!name.equals(Tally.POSSIBLE_DUPLICATES) || total.get(name) > 0) {
                rows.put(name, label);
            }
            if (name.equals(Tally.TRANSACTIONS)) {
                ended(total).forEach(ended -> rows.put(ended, label(ended)));
            }
        });
        StringBuilder table = new StringBuilder();
        List<String> head = new ArrayList<>(instances.keySet());
        head.add("total");
        line(table, "", head);
        rows.forEach((name, label) -> {
            List<String> cells = new ArrayList<>();
            instances.values().forEach(tally -> cells.add(Long.toString(tally.get(name))));
            cells.add(Long.toString(total.get(name)));
            line(table, label, cells);
        });
        return table.toString();
    }

    private static Iterable<String> ended(Tally total) {
        TreeSet<String> names = new TreeSet<>(total.counts().keySet());
        names.removeIf(name -> !name.startsWith(Tally.ENDED));
        return names;
    }

    /** {@code ended:aborted:abortable} is shown as {@code transactions aborted, abortable}. */
    private static String label(String name) {
        return "transactions "
                + name.substring(Tally.ENDED.length()).replace(":", ", ").replace('-', ' ');
    }

    private static void line(StringBuilder table, String label, List<String> cells) {
        table.append(String.format("%-48s", label));
        cells.forEach(cell -> table.append(String.format("%12s", cell)));
        table.append(System.lineSeparator());
    }
}
