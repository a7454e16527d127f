package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What a process printed, in a file that all its runs append to. */
final class ProcessLog {
    private static final int TAIL_LINES = 40;
    private static final long TAIL_BYTES = 16_384;

    private final Path file;
    private volatile long mark;

    ProcessLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** From here on the log belongs to a new run. */
    void mark() {
        mark = length();
    }

    /** Whether the current run has printed the text. */
    boolean contains(String text) {
        return from(mark).contains(text);
    }

    /** The last lines. */
    String tail() {
        String end = from(Math.max(mark, length() - TAIL_BYTES));
        String[] lines = end.split("\n", -1);
        int skipped = Math.max(0, lines.length - TAIL_LINES);
        return String.join("\n", Arrays.copyOfRange(lines, skipped, lines.length));
    }

    private long length() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at " + file, e);
        }
    }

    private String from(long position) {
        if (!Files.exists(file)) {
            return "";
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(Math.max(0, in.length() - position))];
            in.seek(position);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
