package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Input topics that are gone when their offsets are sent: bounded, and told apart from those that are there. */
@Timeout(60)
@WithKafka
class DeletedTopicsTest {

    @Test
    void aDeletedTopicEndsWithTheDeadline(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            fixture.commit(5, IN, OTHER);
            fixture.deleteTopic("in");
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, OTHER);

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.cause()).isInstanceOf(TimeoutException.class).hasMessageContaining("[in]");
            assertThat(error.partitions()).containsOnlyKeys(IN);
            fixture.assertAbortsAndGoesOn(transaction);
            assertThat(fixture.committed(OTHER)).isEqualTo(5);
        }
    }

    /** What is said of the other topic stays said. */
    @Test
    void aTopicThatIsDeletedBetweenTwoAttemptsEndsWithTheDeadline(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = fixture.refusalWhile(transaction, () -> fixture.deleteTopic("in"), IN, OTHER);

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.cause()).isInstanceOf(TimeoutException.class).hasMessageContaining("[in]");
            assertThat(error.partitions()).containsOnlyKeys(IN);
            assertThat(error.partitions().get(IN)).isInstanceOf(UnknownTopicOrPartitionException.class);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** Nobody knows it by an id: there is nothing to send. */
    @Test
    void aTopicThatHasNeverBeenThereEndsWithTheDeadline(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            fixture.deleteTopic("in");
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions().get(IN)).isInstanceOf(UnknownTopicOrPartitionException.class);
            assertThat(fixture.commits()).isEmpty();
            assertThat(OffsetsFixture.get(fixture.admin.listTopics().names()))
                    .as("asking for it has not made it")
                    .doesNotContain("in");
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** What is said of one topic is not said of another, which was only held up by it. */
    @Test
    void aTopicThatIsNotThereIsNotBlamedOnAnother(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            fixture.deleteTopic("in");
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, OTHER);

            assertThat(error.partitions()).containsOnlyKeys(IN, OTHER);
            assertThat(error.partitions().get(IN))
                    .isInstanceOf(UnknownTopicOrPartitionException.class)
                    .hasMessageContaining("topic in");
            assertThat(error.partitions().get(OTHER))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("other-0")
                    .hasMessageNotContaining("topic in");
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** The call may take longer than a request, or what waits for metadata, may: the shorter limit holds. */
    @Test
    void theLimitIsThatOfMaxBlock(ReferenceCluster cluster) {
        try (OffsetsFixture fixture =
                new OffsetsFixture(cluster, Duration.ofSeconds(10), Map.of("max.block.ms", 1_000))) {
            fixture.deleteTopic("in");
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(error.cause())
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("[in] were not accepted within 1000 ms");
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }
}
