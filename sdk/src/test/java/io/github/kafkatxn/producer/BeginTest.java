package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/**
 * After an abort of records that were not delivered the client gets a new epoch, and abort comes back before it has it.
 */
class BeginTest {

    @Test
    void waitsForTheNewEpochOfTheClient() {
        ProducerCore<String, String> core = core(3);

        assertThat(core.begin(new Transaction<>(core))).isTrue();
        assertThat(core.state()).isEqualTo(ProducerState.IN_TRANSACTION);
    }

    @Test
    void butNotForEver() {
        ProducerCore<String, String> core = core(Integer.MAX_VALUE);

        assertThatThrownBy(() -> core.begin(new Transaction<>(core)))
                .isInstanceOf(ConcurrentTransactionsException.class)
                .hasMessageContaining("INITIALIZING");
    }

    private static ProducerCore<String, String> core(int refusals) {
        ProducerSettings settings = ProducerSettings.builder()
                .bootstrapServers("localhost:1")
                .transactionalId("id")
                .callTimeout(Duration.ofMillis(300))
                .property("max.block.ms", 100)
                .build();
        Initialising client = new Initialising(refusals);
        client.initTransactions();
        ProducerCore<String, String> core = new ProducerCore<>(settings, client, new ListenerHub("id", List.of()));
        core.moveTo(ProducerState.READY);
        return core;
    }

    /** Says so many times what the client says until it has its epoch. */
    private static final class Initialising extends MockProducer<String, String> {
        private int refusals;

        Initialising(int refusals) {
            super(true, new RoundRobinPartitioner(), new StringSerializer(), new StringSerializer());
            this.refusals = refusals;
        }

        @Override
        public void beginTransaction() {
            if (refusals-- > 0) {
                throw new IllegalStateException("TransactionalId id: Invalid transition attempted from state"
                        + " INITIALIZING to state IN_TRANSACTION");
            }
            super.beginTransaction();
        }
    }
}
