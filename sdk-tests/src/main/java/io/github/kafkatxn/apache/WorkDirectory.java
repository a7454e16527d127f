package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of one cluster: a folder per node with its properties, its data and its process log. */
final class WorkDirectory {
    static final String KEEP = "kafkatxn.keepLogs";

    private static final Logger log = LoggerFactory.getLogger(WorkDirectory.class);

    private final Path path;
    private volatile boolean kept;

    private WorkDirectory(Path path) {
        this.path = path;
    }

    /** Below the {@code target} folder of the module that runs, or in the temporary folder where there is none. */
    static WorkDirectory create() {
        Path target = Path.of("target").toAbsolutePath();
        try {
            if (!Files.isDirectory(target)) {
                return new WorkDirectory(Files.createTempDirectory("apache-kafka-"));
            }
            Path parent = Files.createDirectories(target.resolve("apache-kafka"));
            return new WorkDirectory(Files.createTempDirectory(parent, ""));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a work directory below " + target, e);
        }
    }

    Path path() {
        return path;
    }

    Path createNode(int id) {
        Path node = path.resolve("node-" + id);
        try {
            Files.createDirectories(node.resolve("tmp"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + node, e);
        }
        return node;
    }

    void keep() {
        kept = true;
    }

    /** Deletes everything unless it is to be kept. What cannot be deleted is logged: a test need not fail for it. */
    void close() {
        if (kept || keptBySystemProperty()) {
            log.info("Kept {}", path);
            return;
        }
        try {
            delete();
        } catch (IOException e) {
            log.warn("Cannot delete {}", path, e);
        }
    }

    private void delete() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(path)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    private static boolean keptBySystemProperty() {
        String value = System.getProperty(KEEP);
        return value != null && !value.equalsIgnoreCase("false");
    }
}
