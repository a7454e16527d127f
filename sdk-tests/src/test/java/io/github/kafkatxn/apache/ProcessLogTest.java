package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLogTest {

    @Test
    void onlyTheCurrentRunCounts(@TempDir Path folder) throws Exception {
        ProcessLog log = new ProcessLog(folder.resolve("server.log"));
        assertThat(log.contains("started")).isFalse();

        append(log, "started\n");
        assertThat(log.contains("started")).isTrue();

        log.mark();
        assertThat(log.contains("started")).isFalse();
        append(log, "stopped\n");
        assertThat(log.tail()).isEqualTo("stopped\n");
    }

    @Test
    void tailIsTheLastLines(@TempDir Path folder) throws Exception {
        ProcessLog log = new ProcessLog(folder.resolve("server.log"));
        append(log, IntStream.range(0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining("\n")));

        assertThat(log.tail().lines()).hasSize(40).endsWith("9998", "9999");
    }

    private static void append(ProcessLog log, String text) throws Exception {
        Files.writeString(log.file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
