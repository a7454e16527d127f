package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The input.
 *
 * @param columns names of the fields of a row
 * @param lines the rows
 */
public record Rows(List<String> columns, List<String> lines) {
    private static final String BUNDLED = "/io/github/kafkatxn/examples/wildlife-strikes.csv";

    /** So many that every lane gets some between two blows. */
    static final int MIN_ROWS = 200;

    /** Copies the lists. */
    public Rows {
        columns = List.copyOf(columns);
        lines = List.copyOf(lines);
    }

    /**
     * Reads the input that the arguments name, or the bundled one.
     *
     * @param arguments which, and how many rows
     * @return the rows that are not blank, at least 200
     * @throws IllegalArgumentException if it cannot be read, or if it has too few rows
     */
    public static Rows read(Arguments arguments) {
        String name = arguments.input().map(Path::toString).orElse(BUNDLED);
        try (InputStream file = arguments.input().isPresent()
                        ? Files.newInputStream(Path.of(name))
                        : Objects.requireNonNull(Rows.class.getResourceAsStream(BUNDLED), BUNDLED);
                // Without a charset decoder of our own, bytes that are not UTF-8 would be replaced in silence.
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8.newDecoder()))) {
            boolean csv = name.toLowerCase(Locale.ROOT).endsWith(".csv");
            String header = csv ? reader.readLine() : null;
            List<String> columns = header == null ? List.of("text") : Csv.fields(header);
            List<String> lines = reader.lines()
                    .filter(Predicate.not(String::isBlank))
                    .limit(arguments.records())
                    .toList();
            if (lines.size() < MIN_ROWS) {
                throw new IllegalArgumentException("--input " + name + ": " + lines.size() + " rows; at least "
                        + MIN_ROWS + " are needed, or there is nothing to do when the application is hurt");
            }
            if (csv) {
                checkFields(name, columns.size(), lines);
            }
            return new Rows(columns, lines);
        } catch (UncheckedIOException e) {
            throw unreadable(name, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    /** Rows that do not fit are dead-lettered one by one, and no instance would have anything to be hurt at. */
    private static void checkFields(String name, int columns, List<String> lines) {
        int fitting = 0;
        for (int i = 0; i < lines.size(); i++) {
            try {
                fitting += Csv.fields(lines.get(i)).size() == columns ? 1 : 0;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "--input " + name + ": row " + (i + 1)
                                + " leaves a quote open; a row is one line here, and a field has no line breaks",
                        e);
            }
        }
        if (fitting * 2 < lines.size()) {
            throw new IllegalArgumentException("--input " + name + ": " + fitting + " of " + lines.size()
                    + " rows have as many fields as the first line, " + columns
                    + "; at least half of them must, the others go to the dead letters");
        }
    }

    private static IllegalArgumentException unreadable(String name, IOException why) {
        String reason;
        if (why instanceof NoSuchFileException) {
            reason = "there is no such file";
        } else if (Files.isDirectory(Path.of(name))) {
            reason = "this is a folder; a text or CSV file is needed";
        } else if (why instanceof CharacterCodingException) {
            reason = "it is not UTF-8 text";
        } else {
            reason = String.valueOf(why.getMessage());
        }
        return new IllegalArgumentException("--input " + name + " cannot be read: " + reason, why);
    }

    int size() {
        return lines.size();
    }
}
