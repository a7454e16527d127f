package io.github.kafkatxn.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.contract.KafkaTarget.Line;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What all contract tests share: a Kafka, somebody who sees what is really there, and names nobody else uses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class KafkaContract {
    private ClusterProbe probe;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // The probe is there from before the first test to after the last.
    protected KafkaContract() {}

    /** {@return the Kafka to test on; the same one on every call} */
    protected abstract KafkaTarget target();

    @BeforeAll
    void openProbe() {
        probe = new ClusterProbe(target());
    }

    @AfterAll
    void closeProbe() {
        probe.close();
    }

    /** {@return what is really there} */
    protected ClusterProbe probe() {
        return probe;
    }

    /** A way to the brokers on which answers can be kept back, where the target has one. */
    Line line() {
        Optional<Line> line = target().line();
        assumeTrue(line.isPresent(), "answers of the target cannot be kept back");
        return line.orElseThrow();
    }

    /**
     * A name nobody else uses.
     *
     * @param hint what for
     * @return the name
     */
    protected static String unique(String hint) {
        return hint + "-" + UUID.randomUUID();
    }
}
