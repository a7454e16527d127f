package io.github.kafkatxn.differential;

import static org.assertj.core.api.Assertions.fail;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests to both. Which ones follows from the seed: {@code -Ddifferential.seed=7}; how many from
 * {@code -Ddifferential.steps=100000}, one half with each transaction version. The two take turns: the broker's
 * processor is what it waits for.
 */
class RandomDifferentialTest {
    private static final int STEPS = Integer.getInteger("differential.steps", 10_000) / 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int TURNS_UNTIL_A_LOOK = 30;

    private final long seed =
            Long.getLong("differential.seed", ThreadLocalRandom.current().nextLong(1_000_000));

    @ParameterizedTest(name = "transaction.version {0}")
    @ValueSource(ints = {1, 2})
    void sameAnswersToRandomRequests(int transactionVersion) throws Exception {
        System.out.println("random differential: seed " + seed + ", transaction.version " + transactionVersion);
        try (ReferenceCluster cluster = ReferenceClusters.start(transactionVersion)) {
            String run = "r" + Long.toString(System.nanoTime(), 36);
            Target real = new Target(
                    Access.open(ApacheKafka.shared(transactionVersion).bootstrapServers()), run);
            Target reference = new Target(Access.open(cluster.bootstrapServers()), run);
            real.prepare(List.of());
            reference.prepare(List.of());
            SideBySide both = new SideBySide(real, reference, KnownDifferences.load(transactionVersion));
            Optional<Difference> difference = walk(both);
            if (difference.isPresent()) {
                Difference found = difference.get();
                fail(
                        "seed %d, transaction.version %d, after %d requests: %s%n  Apache Kafka: %s%n  reference:    %s%n%s",
                        seed,
                        transactionVersion,
                        found.steps().size(),
                        found.last().text(),
                        found.real(),
                        found.reference(),
                        new Shortening(both).shorten(found).asScenario());
            }
        }
    }

    private Optional<Difference> walk(SideBySide both) throws Exception {
        RandomSteps random = new RandomSteps(seed);
        try (SideBySide.Walk walk = both.walk(PATIENCE)) {
            List<String> next = random.first();
            for (int turn = 1; walk.length() < STEPS; turn++) {
                for (String line : next) {
                    Step step = ScenarioParser.line("random", line);
                    Optional<Difference> difference = walk.take(step);
                    if (difference.isPresent()) {
                        return difference;
                    }
                    random.answered(step, walk.answer());
                }
                next = turn % TURNS_UNTIL_A_LOOK == 0 ? random.look() : random.next();
            }
            System.out.println("random differential: " + walk.length() + " requests, no difference");
        }
        return Optional.empty();
    }
}
