package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.TransactionClient.waiting;
import static org.apache.kafka.common.protocol.Errors.CONCURRENT_TRANSACTIONS;
import static org.apache.kafka.common.protocol.Errors.INVALID_PRODUCER_ID_MAPPING;
import static org.apache.kafka.common.protocol.Errors.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * C09: the time of a transaction runs from the first partition that is added to it, not from when its producer begins,
 * and not from what is added last.
 */
@Timeout(30)
@WithKafka(manualClock = true)
class TransactionTimeoutTest {
    private static final String ID = "timeout";
    private static final String TOPIC = "t";

    @Test
    void itDoesNotRunBeforeTheFirstPartition(ReferenceCluster cluster, ManualClock clock) throws IOException {
        try (TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 1);
            client.coordinator(ID, 1);
            Identity producer = client.initialised(ID, 10_000);
            clock.advance(Duration.ofSeconds(60));
            produce(client, producer, topicId, 0, 0);
            clock.advance(Duration.ofSeconds(9));

            assertThat(client.end(5, ID, producer, true).error()).isEqualTo(NONE);
            client.settled(ID);
            assertThat(client.state(ID)).isEqualTo("CompleteCommit");
        }
    }

    @Test
    void itIsNotBegunAgainByWhatIsAddedLater(ReferenceCluster cluster, ManualClock clock) throws IOException {
        try (TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 2);
            client.coordinator(ID, 1);
            Identity producer = client.initialised(ID, 60_000);
            produce(client, producer, topicId, 0, 0);
            clock.advance(Duration.ofSeconds(30));
            produce(client, producer, topicId, 1, 0);
            clock.advance(Duration.ofSeconds(25));
            produce(client, producer, topicId, 0, 1);
            clock.advance(Duration.ofSeconds(20));

            assertThat(waiting(() -> client.state(ID), state -> !state.equals("CompleteAbort")))
                    .isEqualTo("CompleteAbort");
            assertThat(client.end(5, ID, producer, true).error()).isNotEqualTo(NONE);
            assertThat(client.fetch(topicId, 0, 0).abortedTransactions()).hasSize(1);
        }
    }

    @Test
    void anIdThatNobodyUsesForAWeekIsForgotten(ReferenceCluster cluster, ManualClock clock) throws IOException {
        try (TransactionClient client = TransactionClient.of(cluster, 0)) {
            client.coordinator(ID, 1);
            Identity before = client.initialised(ID, 10_000);
            clock.advance(Duration.ofDays(6));
            assertThat(client.state(ID)).isEqualTo("Empty");
            clock.advance(Duration.ofDays(2));

            assertThat(waiting(
                            () -> cluster.state().transaction(ID).isPresent() ? Errors.REQUEST_TIMED_OUT : NONE,
                            error -> error != NONE))
                    .isEqualTo(NONE);
            assertThat(client.end(5, ID, before, false).error()).isEqualTo(INVALID_PRODUCER_ID_MAPPING);
            Identity after = client.initialised(ID, 10_000);
            assertThat(after.producerId()).isNotEqualTo(before.producerId());
            assertThat(after.epoch()).isZero();
        }
    }

    private static void produce(
            TransactionClient client, Identity producer, Uuid topicId, int partition, int sequence) {
        Errors error = waiting(
                () -> client.produce(12, ID, producer, TOPIC, topicId, partition, sequence),
                answer -> answer == CONCURRENT_TRANSACTIONS);
        assertThat(error).isEqualTo(NONE);
    }
}
