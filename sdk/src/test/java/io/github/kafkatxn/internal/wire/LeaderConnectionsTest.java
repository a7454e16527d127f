package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaderConnectionsTest {

    /** As in {@code finally { producer.close(); }} of a worker that has been told to stop. */
    @Test
    void aThreadThatIsInterruptedClosesThemToo() {
        assumeTrue(
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
                "open files are counted on Unix only");
        // Whatever is opened once and for all.
        open().close(Deadline.in(Duration.ofSeconds(5)));
        long before = openFiles();
        LeaderConnections connections = open();
        assertThat(openFiles()).isGreaterThan(before);

        Thread.currentThread().interrupt();
        connections.close(Deadline.in(Duration.ofSeconds(5)));

        assertThat(Thread.interrupted()).as("the flag").isTrue();
        assertThat(openFiles()).isEqualTo(before);
    }

    private static LeaderConnections open() {
        return new LeaderConnections(
                BrokerConnections.config(Map.of("bootstrap.servers", "localhost:1", "transactional.id", "id")));
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }
}
