package io.github.kafkatxn.differential;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The scenario files among the test resources, a folder for each area. */
final class ScenarioFiles {
    private ScenarioFiles() {}

    static List<Scenario> of(List<String> areas) throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        for (String area : areas) {
            for (Path file : files(area)) {
                scenarios.addAll(read(area + "/" + file.getFileName()));
            }
        }
        return scenarios;
    }

    static List<Scenario> read(String name) throws IOException {
        return ScenarioParser.parse(name, Files.readAllLines(resource(name)));
    }

    static Path resource(String name) {
        URL found = ScenarioFiles.class.getResource("/scenarios/" + name);
        if (found == null) {
            throw new IllegalArgumentException("no /scenarios/" + name + " among the test resources");
        }
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> files(String area) throws IOException {
        try (Stream<Path> files = Files.list(resource(area))) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }
}
