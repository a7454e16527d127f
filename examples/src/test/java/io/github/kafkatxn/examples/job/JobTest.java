package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole job with few rows, on a cluster that is there already. */
@Timeout(300)
class JobTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void everyRowComesOutOnceAndNothingIsLeftBehind() throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(2);
        Arguments arguments =
                Arguments.parse("--bootstrap-servers", kafka.bootstrapServers(), "--records", "300", "--seconds", "3");

        String printed = run(arguments);

        assertThat(printed.lines().toList())
                .last()
                .isEqualTo("exactly-once: input 303, committed 300, dead-lettered 3, lost 0, duplicated 0");
        assertThat(printed).contains("3 records sent that cannot be processed", "killed (SIGKILL", "fenced");
        assertThat(printed).doesNotContain("HURT  broker");
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("rows-to-events-"));
        }
        assertThat(ProcessHandle.current().children().filter(JobTest::isInstance))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "apache"})
    void aBrokerOfAClusterThatWasStartedHereIsKilledToo(String kafka) {
        Arguments arguments = Arguments.parse("--kafka", kafka, "--records", "300", "--seconds", "3");

        String printed = run(arguments);

        assertThat(printed.lines().toList())
                .last()
                .isEqualTo("exactly-once: input 303, committed 300, dead-lettered 3, lost 0, duplicated 0");
        assertThat(printed).contains("HURT  broker", "is back", "killed (SIGKILL", "fenced");
        assertThat(ProcessHandle.current().children().filter(JobTest::isInstance))
                .isEmpty();
    }

    @Test
    void workersInAShareGroupAreExactlyOnceOnTheReferenceCluster() {
        Arguments arguments = Arguments.parse("share", "--brokers", "1", "--records", "200", "--seconds", "1");

        String printed = run(arguments);

        assertThat(printed.lines().toList())
                .last()
                .isEqualTo("exactly-once: input 203, committed 200, dead-lettered 3, lost 0, duplicated 0");
        assertThat(printed)
                .contains("6 members in 3 processes share 2 partitions", "killed (SIGKILL", "longer than its lock")
                .doesNotContain("at least once");
        assertThat(ProcessHandle.current().children().filter(JobTest::isInstance))
                .isEmpty();
    }

    @Test
    void workersInAShareGroupOfAReleasedBrokerAreAtLeastOnceAndSaySo() throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(2);
        Arguments arguments = Arguments.parse(
                "share", "--bootstrap-servers", kafka.bootstrapServers(), "--records", "200", "--seconds", "1");

        String printed = run(arguments);

        assertThat(printed.lines().toList())
                .last(InstanceOfAssertFactories.STRING)
                .startsWith("at-least-once: input 203, committed 200, dead-lettered 3, lost 0, duplicated ");
        assertThat(printed.split("NOT exactly once", -1)).as(printed).hasSize(3);
        assertThat(printed).contains("killed (SIGKILL", "longer than its lock").doesNotContain("FAILED");
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("row-workers-"));
            assertThat(admin.listGroups().all().get())
                    .noneMatch(group -> group.groupId().startsWith("row-workers-"));
            assertThat(admin.listConfigResources(Set.of(ConfigResource.Type.GROUP), new ListConfigResourcesOptions())
                            .all()
                            .get())
                    .noneMatch(group -> group.name().startsWith("row-workers-"));
        }
    }

    /** {@return what it prints, if it says that all is well} */
    private String run(Arguments arguments) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        int status = new Job(arguments, Rows.read(arguments), print, print).run();
        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(status).as(printed).isZero();
        return printed;
    }

    private static boolean isInstance(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().orElse("").contains(Instance.class.getName());
    }
}
