package io.github.kafkatxn.cluster.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.node.Peers.Failure;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a leader tells its clients when it does not get to ask, or may not. */
class PartitionVerificationTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final Controller controller = new Controller("cluster", Map.of());
    private final SentRequests network = new SentRequests();
    private final PartitionVerification verification = new PartitionVerification(controller::image, network, true);

    @BeforeEach
    void startNode() {
        controller.nodeUp(0, "localhost", 1);
    }

    /** One request is under way; of those that wait, there is one for each id. */
    @ParameterizedTest(name = "epoch {0}, then {1}: {2} and {3}")
    @CsvSource({
        "5, 5, [NETWORK_EXCEPTION],      []",
        "5, 6, [INVALID_PRODUCER_EPOCH], []",
        "5, 4, [],                       [INVALID_PRODUCER_EPOCH]"
    })
    void aQuestionThatWaitsIsReplaced(int older, int newer, String toOlder, String toNewer) {
        createCoordinators();
        verify(verification, Mode.ADD, "other", 0);
        List<Errors> first = verify(verification, Mode.ADD, "id", older);
        List<Errors> second = verify(verification, Mode.ADD, "id", newer);

        assertThat(first).hasToString(toOlder);
        assertThat(second).hasToString(toNewer);
        assertThat(ids(network.take())).containsExactly("other 0");
        assertThat(network.isEmpty()).isTrue();
    }

    @Test
    void whatHasWaitedGoesTogetherOnceTheWayIsFree() {
        createCoordinators();
        verify(verification, Mode.ADD, "first", 0);
        verify(verification, Mode.ADD, "a", 1);
        verify(verification, Mode.VERIFY_OR_ABORTABLE, "b", 2);

        network.take().reply().failed(Failure.DISCONNECTED);

        assertThat(ids(network.take())).containsExactly("a 1", "b 2 verify");
    }

    /** A coordinator that does not know the question is not asked; one that cannot be asked may have been. */
    @ParameterizedTest
    @CsvSource({"UNSUPPORTED, NONE", "UNREACHABLE, NETWORK_EXCEPTION", "DISCONNECTED, NETWORK_EXCEPTION"})
    void withoutAnAnswer(Failure failure, Errors told) {
        createCoordinators();
        List<Errors> errors = verify(verification, Mode.ADD, "id", 0);

        network.take().reply().failed(failure);

        assertThat(errors).containsExactly(told);
    }

    @Test
    void withoutACoordinator() {
        assertThat(verify(verification, Mode.ADD, "id", 0)).containsExactly(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(network.isEmpty()).isTrue();
    }

    @Test
    void whoDoesNotVerifyAddsAllTheSame() {
        createCoordinators();
        PartitionVerification off = new PartitionVerification(controller::image, network, false);

        assertThat(verify(off, Mode.VERIFY_OR_ABORTABLE, "id", 0)).containsExactly(Errors.NONE);
        assertThat(verify(off, Mode.VERIFY_OR_INVALID_TXN_STATE, "id", 0)).containsExactly(Errors.NONE);
        assertThat(network.isEmpty()).isTrue();
        assertThat(verify(off, Mode.ADD, "id", 0)).isEmpty();
        assertThat(ids(network.take())).containsExactly("id 0");
    }

    private void createCoordinators() {
        controller.createTopic(InternalTopics.TRANSACTIONS, 1, 1, Map.of());
    }

    /** What is told, now and later. */
    private static List<Errors> verify(PartitionVerification by, Mode mode, String id, int epoch) {
        List<Errors> told = new ArrayList<>();
        by.verify(mode, id, 7, (short) epoch, List.of(PARTITION), errors -> told.add(errors.get(PARTITION)));
        return told;
    }

    private static List<String> ids(SentRequests.Sent sent) {
        return ((AddPartitionsToTxnRequestData) sent.request())
                .transactions().stream()
                        .map(asked -> asked.transactionalId() + " " + asked.producerEpoch()
                                + (asked.verifyOnly() ? " verify" : ""))
                        .toList();
    }
}
