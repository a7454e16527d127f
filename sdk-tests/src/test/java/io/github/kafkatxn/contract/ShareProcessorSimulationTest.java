package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random workers of a share group that die between any two steps, on a cluster whose nodes fail and whose leaders move:
 * each record's output is committed once, or the record is archived and dead-lettered. The seed is in the name of the
 * test; {@code -Dsimulation.seed=N} repeats it, the profile {@code simulation} runs more.
 */
@Timeout(3600)
class ShareProcessorSimulationTest extends ShareFaults {
    private static final int STEPS = Integer.getInteger("simulation.share.steps", 12);
    private static final int ROUNDS = Integer.getInteger("simulation.share.rounds", 1);

    static LongStream seeds() {
        Long seed = Long.getLong("simulation.seed");
        return seed == null ? LongStream.generate(System::nanoTime).limit(ROUNDS) : LongStream.of(seed);
    }

    ShareProcessorSimulationTest() {
        super(3);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLostOrDoubled(long seed) {
        Pipe pipe = replicatedPipe(2);
        ShareSimulation simulation = new ShareSimulation(this, cluster(), pipe, seed);
        try {
            simulation.run(STEPS);
            eventually("nothing missing")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> probe().committedValues(pipe.out()).size()
                                    + probe().committedValues(pipe.dead()).size()
                            >= pipe.fed().size());
            assertAllDone(pipe);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dsimulation.seed=" + seed + ": " + e.getMessage() + "\n" + simulation, e);
        }
    }
}
