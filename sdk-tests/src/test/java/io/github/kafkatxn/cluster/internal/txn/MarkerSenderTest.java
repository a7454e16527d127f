package io.github.kafkatxn.cluster.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.node.Peers.Failure;
import io.github.kafkatxn.cluster.internal.node.SteppedLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a coordinator makes of each answer to its markers. The transaction is in two partitions of one node. */
class MarkerSenderTest {
    private static final long PRODUCER = 7;
    private static final TopicPartition FIRST = new TopicPartition("t", 0);
    private static final TopicPartition SECOND = new TopicPartition("t", 1);
    private static final long BACKOFF_MS = 20;

    private final SteppedLoop loop = new SteppedLoop();
    private final Controller controller = new Controller("cluster", Map.of());
    private final SentRequests network = new SentRequests();
    private final MarkerSender sender = new MarkerSender(loop, controller::image, network);
    private final List<TopicPartition> written = new ArrayList<>();
    private boolean wanted = true;
    private int done;

    @BeforeEach
    void sendMarkers() {
        controller.nodeUp(0, "localhost", 1);
        controller.createTopic("t", 2, 1, Map.of());
        TransactionMetadata prepared = new TransactionMetadata(
                "id",
                PRODUCER,
                -1,
                -1,
                (short) 1,
                (short) 0,
                60_000,
                TransactionState.PREPARE_COMMIT,
                Set.of(FIRST, SECOND),
                0,
                0,
                (byte) 2);
        sender.send(prepared, 3, () -> wanted, written::add, () -> done++);
        loop.pass(0);
    }

    @Test
    void bothTravelTogetherAndThenItIsDone() {
        SentRequests.Sent request = network.take();
        assertThat(request.node()).isZero();
        assertThat(partitions(request)).containsExactlyInAnyOrder(FIRST, SECOND);

        answer(request, Map.of(FIRST, Errors.NONE, SECOND, Errors.NONE));

        assertThat(written).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(done).isEqualTo(1);
        loop.pass(1_000);
        assertThat(network.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "UNKNOWN_TOPIC_OR_PARTITION",
                "NOT_LEADER_OR_FOLLOWER",
                "NOT_ENOUGH_REPLICAS",
                "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "REQUEST_TIMED_OUT",
                "KAFKA_STORAGE_ERROR"
            })
    void whatPassesIsTriedAgainForThatPartition(Errors error) {
        answer(network.take(), Map.of(FIRST, Errors.NONE, SECOND, error));
        assertThat(written).containsExactly(FIRST);
        assertThat(done).isZero();
        loop.pass(BACKOFF_MS - 1);
        assertThat(network.isEmpty()).isTrue();

        loop.pass(1);
        SentRequests.Sent again = network.take();
        assertThat(partitions(again)).containsExactly(SECOND);
        answer(again, Map.of(SECOND, Errors.NONE));

        assertThat(done).isEqualTo(1);
    }

    @Test
    void aPartitionThatTheAnswerForgetsIsTriedAgain() {
        answer(network.take(), Map.of(FIRST, Errors.NONE));

        loop.pass(BACKOFF_MS);
        assertThat(partitions(network.take())).containsExactly(SECOND);
        assertThat(done).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnAnswerAllAreTriedAgain(Failure failure) {
        network.take().reply().failed(failure);

        loop.pass(BACKOFF_MS);
        assertThat(partitions(network.take())).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    /** A log that cannot hold markers has none to wait for. */
    @ParameterizedTest
    @EnumSource(names = {"UNSUPPORTED_FOR_MESSAGE_FORMAT", "UNSUPPORTED_VERSION"})
    void whatCanHoldNoMarkerCountsAsWritten(Errors error) {
        answer(network.take(), Map.of(FIRST, Errors.NONE, SECOND, error));

        assertThat(done).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID_PRODUCER_EPOCH", "TRANSACTION_COORDINATOR_FENCED", "UNKNOWN_SERVER_ERROR"})
    void otherErrorsEndItWithoutCompletingIt(Errors error) {
        answer(network.take(), Map.of(FIRST, Errors.NONE, SECOND, error));

        loop.pass(1_000);
        assertThat(network.isEmpty()).isTrue();
        assertThat(done).isZero();
    }

    @Test
    void aPartitionThatIsGoneIsNotWaitedFor() {
        network.take().reply().failed(Failure.DISCONNECTED);
        controller.deleteTopic("t");

        loop.pass(BACKOFF_MS);

        assertThat(network.isEmpty()).isTrue();
        assertThat(written).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(done).isEqualTo(1);
    }

    @Test
    void aPartitionWithoutALeaderIsWaitedFor() {
        network.take().reply().failed(Failure.DISCONNECTED);
        controller.nodeDown(0);
        loop.pass(BACKOFF_MS);
        assertThat(network.isEmpty()).isTrue();

        controller.nodeUp(0, "localhost", 1);
        loop.pass(BACKOFF_MS);
        assertThat(partitions(network.take())).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    @Test
    void whoIsNoCoordinatorAnyMoreSendsNothingAgain() {
        network.take().reply().failed(Failure.DISCONNECTED);
        wanted = false;

        loop.pass(1_000);

        assertThat(network.isEmpty()).isTrue();
        assertThat(done).isZero();
    }

    private static List<TopicPartition> partitions(SentRequests.Sent sent) {
        WritableTxnMarker marker =
                ((WriteTxnMarkersRequestData) sent.request()).markers().get(0);
        return marker.topics().stream()
                .flatMap(topic ->
                        topic.partitionIndexes().stream().map(index -> new TopicPartition(topic.name(), index)))
                .toList();
    }

    private static void answer(SentRequests.Sent sent, Map<TopicPartition, Errors> errors) {
        List<WritableTxnMarkerTopicResult> topics = new ArrayList<>();
        errors.forEach((partition, error) -> topics.add(new WritableTxnMarkerTopicResult()
                .setName(partition.topic())
                .setPartitions(List.of(new WritableTxnMarkerPartitionResult()
                        .setPartitionIndex(partition.partition())
                        .setErrorCode(error.code())))));
        WriteTxnMarkersResponseData response = new WriteTxnMarkersResponseData();
        response.markers()
                .add(new WritableTxnMarkerResult().setProducerId(PRODUCER).setTopics(topics));
        sent.reply().answered((short) 2, response);
    }
}
