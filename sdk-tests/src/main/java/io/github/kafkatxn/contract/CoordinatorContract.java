package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * On a target whose transaction coordinator never comes up, because its log cannot have the replicas it is set to, init
 * ends in its time and names what a broker says of the coordinator, and the settings. Scenario C34 (b).
 */
public abstract class CoordinatorContract extends ProducerContract {

    /** For subclasses. */
    protected CoordinatorContract() {}

    @Test
    void withoutACoordinatorInitEndsAndNamesTheSettings() {
        // A quarter of it is for asking why, at most three seconds: plenty also for a busy machine.
        TransactionalProducer<String, String> producer = create(settings().callTimeout(Duration.ofSeconds(12)));

        TxnError error = error(producer.init());

        assertThat(error.action()).isEqualTo(Action.RETRY_CALL);
        assertThat(error.message())
                .contains(
                        "transaction.state.log.replication.factor=",
                        "transaction.state.log.min.isr=",
                        "Brokers answering: ",
                        "COORDINATOR_NOT_AVAILABLE");
        assertThat(error(producer.init()).action()).as("a second init").isEqualTo(Action.RETRY_CALL);
    }
}
