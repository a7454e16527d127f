package io.github.kafkatxn.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every scenario file, to both. Where they differ, the reference cluster is wrong. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DifferentialTest {
    private final int transactionVersion;
    private final List<Scenario> scenarios;
    private final KnownDifferences known;
    private ReferenceCluster cluster;
    private Target real;
    private Target reference;

    DifferentialTest(int transactionVersion) throws Exception {
        this.transactionVersion = transactionVersion;
        this.scenarios = ScenarioFiles.of(List.of("transactions", "offsets", "views"));
        this.known = KnownDifferences.load();
    }

    @BeforeAll
    void start() throws Exception {
        cluster = ReferenceCluster.start(ClusterSettings.builder()
                .transactionVersion(transactionVersion)
                .nodeProperty("auto.create.topics.enable", false)
                .nodeProperty("offsets.topic.num.partitions", 4)
                .nodeProperty("transaction.state.log.num.partitions", 4)
                .build());
        String run = "d" + Long.toString(System.nanoTime(), 36);
        real = new Target(ApacheKafka.shared(transactionVersion).bootstrapServers(), run);
        reference = new Target(cluster.bootstrapServers(), run);
        real.prepare(scenarios);
        reference.prepare(scenarios);
    }

    @TestFactory
    Stream<DynamicTest> sameAnswers() {
        return IntStream.range(0, scenarios.size())
                .mapToObj(number -> DynamicTest.dynamicTest(
                        scenarios.get(number).name(), () -> compare(number, scenarios.get(number))));
    }

    private void compare(int number, Scenario scenario) throws Exception {
        List<String> ofKafka = real.answers(number, scenario);
        List<String> ofReference = reference.answers(number, scenario);
        List<String> report = new ArrayList<>();
        boolean same = true;
        for (int i = 0; i < ofKafka.size(); i++) {
            Step step = scenario.steps().get(i);
            boolean good = step.accepts(ofKafka.get(i))
                    && (ofKafka.get(i).equals(ofReference.get(i))
                            || known.has(step, ofKafka.get(i), ofReference.get(i)));
            same &= good;
            report.add(String.format(
                    Locale.ROOT,
                    "%s %-60s%n      Apache Kafka: %s%n      reference:    %s",
                    good ? "     " : "DIFF ",
                    step.text(),
                    ofKafka.get(i),
                    ofReference.get(i)));
        }
        assertThat(same)
                .withFailMessage(
                        "%s, transaction.version %s%n%s",
                        scenario.place(), transactionVersion, String.join("\n", report))
                .isTrue();
    }

    @AfterAll
    void stop() throws Exception {
        real.close();
        reference.close();
        cluster.close();
    }
}
