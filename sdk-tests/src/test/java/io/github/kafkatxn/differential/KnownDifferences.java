package io.github.kafkatxn.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Steps at which the two may differ, from {@code known-differences.txt}: {@code REQUEST | real answer | other answer |
 * reason}, one a line.
 */
final class KnownDifferences {
    private final Set<List<String>> known;

    private KnownDifferences(Set<List<String>> known) {
        this.known = known;
    }

    static KnownDifferences load() throws IOException {
        return new KnownDifferences(Files.readAllLines(ScenarioFiles.resource("known-differences.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(KnownDifferences::parse)
                .collect(Collectors.toSet()));
    }

    private static List<String> parse(String line) {
        String[] parts = line.split("\\|");
        if (parts.length != 4 || parts[3].isBlank()) {
            throw new IllegalArgumentException(
                    "known-differences.txt: not \"request | real answer | other answer | reason\": " + line);
        }
        return List.of(parts[0].strip(), parts[1].strip(), parts[2].strip());
    }

    boolean has(Step step, String real, String other) {
        return known.contains(List.of(step.verb() + " v" + step.version(), real, other));
    }
}
