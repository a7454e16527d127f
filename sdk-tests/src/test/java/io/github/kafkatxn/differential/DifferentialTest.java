package io.github.kafkatxn.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every scenario file of some areas, to both. Where they differ, the reference cluster is wrong. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DifferentialTest {
    private final int atLeast;
    private final List<Scenario> scenarios;
    private final KnownDifferences known;
    private final ExecutorService askingKafka = Executors.newSingleThreadExecutor();
    private final ExecutorService askingReference = Executors.newSingleThreadExecutor();
    private Target real;
    private Target reference;

    /**
     * @param known what may differ
     * @param areas whose files
     * @param atLeast with fewer, files were not found, or ranges of versions have shrunk
     */
    DifferentialTest(KnownDifferences known, List<String> areas, int atLeast) throws Exception {
        this.known = known;
        this.scenarios = ScenarioFiles.of(areas);
        this.atLeast = atLeast;
    }

    /** Into a real broker. */
    abstract Access apacheKafka();

    /** Into one node that is as much as can be like it. */
    abstract Access referenceCluster();

    /** Ends what has been started for this test alone. */
    abstract void close();

    @BeforeAll
    void start() throws Exception {
        assertThat(scenarios).hasSizeGreaterThanOrEqualTo(atLeast);
        String run = "d" + Long.toString(System.nanoTime(), 36);
        real = new Target(apacheKafka(), run);
        reference = new Target(referenceCluster(), run);
        real.prepare(scenarios);
        reference.prepare(scenarios);
    }

    @TestFactory
    Stream<DynamicTest> sameAnswers() {
        // Both at the same time, but each one scenario after the other: a broker asks coordinators about batches of
        // several producers at once, and then takes some of them for requests of another version.
        List<Future<List<String>>> ofReference =
                ask(askingReference, number -> reference.answers(number, scenarios.get(number)));
        List<Future<List<String>>> ofKafka = ask(
                askingKafka,
                number -> real.answers(
                        number, scenarios.get(number), ofReference.get(number).get()));
        Stream<DynamicTest> comparisons = IntStream.range(0, scenarios.size())
                .mapToObj(number -> DynamicTest.dynamicTest(
                        scenarios.get(number).name(),
                        () -> new Answers(
                                        scenarios.get(number),
                                        ofKafka.get(number).get(),
                                        ofReference.get(number).get())
                                .requireSame(known)));
        return Stream.concat(
                comparisons,
                Stream.of(DynamicTest.dynamicTest(
                        "every known difference is still there",
                        () -> assertThat(known.unseen()).isEmpty())));
    }

    private interface Asking {
        List<String> answers(int number) throws Exception;
    }

    private List<Future<List<String>>> ask(ExecutorService thread, Asking asking) {
        return IntStream.range(0, scenarios.size())
                .mapToObj(number -> thread.submit(() -> asking.answers(number)))
                .toList();
    }

    @AfterAll
    void stop() {
        askingKafka.shutdownNow();
        askingReference.shutdownNow();
        close();
    }
}
