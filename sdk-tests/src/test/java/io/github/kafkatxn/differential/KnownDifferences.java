package io.github.kafkatxn.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Steps at which the two may differ, from {@code known-differences.txt}: {@code transaction versions | request | answer
 * of Apache Kafka | answer of the reference cluster | reason}, one a line.
 */
final class KnownDifferences {
    private final List<Difference> known;
    private final Set<Difference> seen = new HashSet<>();

    private record Difference(String request, String real, String reference) {}

    private KnownDifferences(List<Difference> known) {
        this.known = known;
    }

    static KnownDifferences load(int transactionVersion) throws IOException {
        return parse(Files.readAllLines(ScenarioFiles.resource("known-differences.txt")), transactionVersion);
    }

    /** Nothing may differ. */
    static KnownDifferences none() {
        return new KnownDifferences(List.of());
    }

    /** Those of one transaction version. */
    static KnownDifferences parse(List<String> lines, int transactionVersion) {
        List<Difference> known = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\\|", -1);
            if (parts.length != 5 || parts[4].isBlank()) {
                throw new IllegalArgumentException("known-differences.txt:" + (i + 1)
                        + ": not \"transaction versions | request | real answer | other answer | reason\": " + line);
            }
            if (parts[0].contains(Integer.toString(transactionVersion))) {
                known.add(new Difference(parts[1].strip(), parts[2].strip(), parts[3].strip()));
            }
        }
        return new KnownDifferences(known);
    }

    boolean allows(Step step, String real, String reference) {
        Difference difference = new Difference(step.verb().name() + " v" + step.version(), real, reference);
        if (!known.contains(difference)) {
            return false;
        }
        seen.add(difference);
        return true;
    }

    /** Those that nobody has asked for: they have to leave the list. */
    List<String> unseen() {
        return known.stream()
                .filter(difference -> !seen.contains(difference))
                .map(Difference::toString)
                .toList();
    }
}
