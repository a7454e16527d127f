package io.github.kafkatxn.cluster;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random producers, and consumers that read what they write, on a cluster of three nodes that fail, move and are cut
 * off from each other. The seed is in the name of the test; {@code -Dsimulation.seed=N} repeats it, the profile
 * {@code simulation} runs more.
 */
@Timeout(3600)
class SimulationTest {
    private static final int STEPS = Integer.getInteger("simulation.steps", 500);
    private static final int ROUNDS = Integer.getInteger("simulation.rounds", 2);

    static LongStream seeds() {
        Long seed = Long.getLong("simulation.seed");
        return seed == null ? LongStream.generate(System::nanoTime).limit(ROUNDS) : LongStream.of(seed);
    }

    @ParameterizedTest(name = "transaction version 2, seed {0}")
    @MethodSource("seeds")
    void nothingIsLostOrDoubledUnderVersion2(long seed) {
        run(2, seed);
    }

    @ParameterizedTest(name = "transaction version 1, seed {0}")
    @MethodSource("seeds")
    void nothingIsLostOrDoubledUnderVersion1(long seed) {
        run(1, seed);
    }

    private static void run(int transactionVersion, long seed) {
        try (Simulation simulation = new Simulation(transactionVersion, seed)) {
            for (int step = 0; step < STEPS; step++) {
                simulation.step();
            }
            simulation.finish();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "transaction version " + transactionVersion + ", -Dsimulation.seed=" + seed + ": " + e.getMessage(),
                    e);
        }
    }
}
