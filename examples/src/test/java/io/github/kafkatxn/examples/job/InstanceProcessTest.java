package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With shells in the place of instances. */
@Timeout(60)
class InstanceProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private final Signal signal = new Signal();

    @Test
    void addsUpWhatItsProcessesReported() {
        try (InstanceProcess instance = shell("echo report records=2 end; read line")) {
            instance.start();
            signal.await("a report", LIMIT, () -> instance.tally().get(Tally.RECORDS) == 2);
            instance.kill();
            instance.start();
            signal.await("another report", LIMIT, () -> instance.tally().get(Tally.RECORDS) == 4);
            instance.stop();
            instance.awaitStopped();
            assertThat(instance.tally().get(Tally.PROCESSES)).isEqualTo(2);
        }
    }

    @Test
    void anEndThatNobodyAskedForFailsTheJob() {
        try (InstanceProcess instance = shell("echo stopped FENCED by another; exit 3")) {
            instance.start();
            assertThatExceptionOfType(JobFailure.class)
                    .isThrownBy(() -> signal.await("nothing", LIMIT, () -> false))
                    .withMessageContaining("instance 1 has ended by itself, status 3, stopped FENCED by another")
                    .withMessageContaining("instance.log");
        }
    }

    @Test
    void aFailureAfterItWasAskedToStopIsOneToo() {
        try (InstanceProcess instance = shell("read line; exit 4")) {
            instance.start();
            instance.stop();
            assertThatExceptionOfType(JobFailure.class)
                    .isThrownBy(instance::awaitStopped)
                    .withMessageContaining("status 4");
        }
    }

    private InstanceProcess shell(String script) {
        return new InstanceProcess("instance 1", List.of("sh", "-c", script), folder.resolve("instance.log"), signal);
    }
}
