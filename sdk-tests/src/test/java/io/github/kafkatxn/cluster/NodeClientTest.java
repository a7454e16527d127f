package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ordinary work of a client that is not written in Java: kafkajs. Needs Node.js and npm, and is skipped elsewhere.
 */
@Timeout(120)
class NodeClientTest {
    private static final int RECORDS = 100;
    private static final List<String> FILES = List.of("package.json", "copy.js");

    @TempDir
    private static Path folder;

    @BeforeAll
    static void install() throws Exception {
        for (String file : FILES) {
            try (var resource = NodeClientTest.class.getResourceAsStream("/node-client/" + file)) {
                Files.write(folder.resolve(file), resource.readAllBytes());
            }
        }
        assumeTrue(runs("node", "--version"), "Node.js is not installed here");
        assumeTrue(
                runs("npm", "install", "--no-audit", "--no-fund", "--silent"),
                "npm is not installed here, or reaches no registry");
    }

    @Test
    @WithKafka(nodes = 3)
    void recordsAreCopiedInTransactions(ReferenceCluster kafka) throws Exception {
        Process process = start("node", "copy.js", kafka.bootstrapServers(), Integer.toString(RECORDS));

        assertThat(ended(process)).as("has ended").isTrue();
        String printed = Files.readString(folder.resolve("output"));
        String copies = IntStream.range(0, RECORDS)
                .mapToObj(i -> "\"value-" + i + "\"")
                .sorted()
                .collect(Collectors.joining(","));
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed.strip())
                .matches("\\{\"copies\":\\[.*],\"committed\":" + RECORDS + "}")
                .satisfies(line -> assertThat(
                                List.of(line.replaceAll(".*\\[|].*", "").split(",")))
                        .containsExactlyInAnyOrder(copies.split(",")));
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            Process process = start(command);
            return ended(process) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private static boolean ended(Process process) throws InterruptedException {
        try {
            return process.waitFor(50, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
    }
}
