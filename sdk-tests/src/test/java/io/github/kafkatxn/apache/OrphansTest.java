package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphansTest {

    /**
     * What a JVM does that is about to be killed: starts two brokers, lets one of them stand still, and names them all.
     */
    static final class Doomed {
        private Doomed() {}

        public static void main(String[] args) throws Exception {
            ApacheKafka kafka = ApacheKafka.builder().brokers(2).quickStart().start();
            kafka.pause(1);
            System.out.println(ProcessHandle.current()
                    .descendants()
                    .map(child -> Long.toString(child.pid()))
                    .reduce("", (pids, pid) -> pids + " " + pid)
                    .trim());
            Thread.currentThread().join();
        }
    }

    @Test
    void nothingOutlivesAParentThatIsKilled(@TempDir Path directory) throws Exception {
        Process parent = startParent(directory);
        try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
            List<ProcessHandle> children = Arrays.stream(out.readLine().split(" "))
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
            assertThat(children)
                    .as("controller, two brokers, guard of the paused one")
                    .hasSize(4);

            parent.destroyForcibly();

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
        } finally {
            parent.destroyForcibly();
            assertThat(parent.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Process startParent(Path directory) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-D" + BrokerJars.PROPERTY + "=" + BrokerJars.find(null).folder(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Doomed.class.getName())
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
