package io.github.kafkatxn;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A text file under {@code src/test/resources} that a person has read: the build compares it with what the code does
 * today. Lines that begin with {@code #} explain and are not compared.
 */
public final class ReviewedFile {
    private static final Path RESOURCES = Path.of("src", "test", "resources");
    private static final Path ACTUAL = Path.of("target", "reviewed");

    private final String name;

    private ReviewedFile(String name) {
        this.name = name;
    }

    public static ReviewedFile named(String name) {
        return new ReviewedFile(name);
    }

    /** {@return the lines, without comments and blank ones} */
    public List<String> lines() {
        return read().stream().filter(ReviewedFile::counts).toList();
    }

    /** Fails with the difference, and with what to do about it, unless the lines are those of the file. */
    public void mustBe(List<String> actual, String advice) {
        List<String> reviewed = lines();
        if (reviewed.equals(actual)) {
            return;
        }
        List<String> difference = new ArrayList<>();
        reviewed.stream().filter(line -> !actual.contains(line)).forEach(line -> difference.add("- " + line));
        actual.stream().filter(line -> !reviewed.contains(line)).forEach(line -> difference.add("+ " + line));
        if (difference.isEmpty()) {
            difference.add("(same lines in another order)");
        }
        fail(
                "%s%n%nIn %s (-) but today (+):%n%s%n%nWhen that is what you want, copy %s over it.%n",
                advice, RESOURCES.resolve(name), String.join(System.lineSeparator(), difference), write(actual));
    }

    private Path write(List<String> actual) {
        List<String> lines = new ArrayList<>(
                read().stream().takeWhile(line -> line.startsWith("#")).toList());
        lines.addAll(actual);
        try {
            Files.createDirectories(ACTUAL);
            return Files.write(ACTUAL.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> read() {
        Path file = RESOURCES.resolve(name);
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean counts(String line) {
        return !line.isBlank() && !line.startsWith("#");
    }
}
