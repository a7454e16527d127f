package io.github.kafkatxn.contract;

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
