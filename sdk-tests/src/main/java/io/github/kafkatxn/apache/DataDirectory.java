package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** Where a node keeps its data, and how that is formatted. */
record DataDirectory(Path path) {

    /** There once the directory is formatted. */
    Path metaProperties() {
        return path.resolve("meta.properties");
    }

    /**
     * For Kafka's storage tool, which a controller needs: it writes the records that the metadata log begins with, the
     * feature levels among them.
     */
    List<String> formatArguments(String clusterId, Path serverProperties, int transactionVersion) {
        return List.of(
                "format",
                "--cluster-id",
                clusterId,
                "--config",
                serverProperties.toString(),
                "--feature",
                "transaction.version=" + transactionVersion);
    }

    /** What of it concerns a broker that is no controller: whose directory this is. Saves the tool's second of work. */
    void formatForBroker(String clusterId, int id) {
        try {
            Files.createDirectories(path);
            Files.write(
                    metaProperties(),
                    List.of(
                            "version=1",
                            "cluster.id=" + clusterId,
                            "node.id=" + id,
                            "directory.id=" + Uuid.randomUuid()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot format " + path, e);
        }
    }
}
