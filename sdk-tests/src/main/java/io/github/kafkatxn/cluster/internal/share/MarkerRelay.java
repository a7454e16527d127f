package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * Hands a marker that is in the log of a state partition on to the leaders of the share partitions it touches, here or
 * on other nodes. A leader that comes later reads the state as the marker left it. Belongs to the node's thread.
 */
public final class MarkerRelay {
    private static final VersionRange VERSIONS = VersionRange.of(1, 2);
    private static final long PATIENCE_MS = 1_000;

    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final Peers peers;

    /**
     * Hands nothing on yet.
     *
     * @param loop the node's thread and time
     * @param image what the node knows of the cluster
     * @param peers its way to the leaders
     */
    public MarkerRelay(EventLoop loop, Supplier<ClusterImage> image, Peers peers) {
        this.loop = loop;
        this.image = image;
        this.peers = peers;
    }

    /**
     * Hands a marker on.
     *
     * @param written the marker
     * @param statePartition the number of the partition that has it
     * @param leaders the share partitions, with the latest leader epoch that is known of each
     * @param done told NONE once all leaders have it; else NOT_LEADER_OR_FOLLOWER or REQUEST_TIMED_OUT, upon which a
     *     coordinator sends the marker again
     */
    public void hand(
            WritableTxnMarker written,
            int statePartition,
            Map<SharePartitionKey, Integer> leaders,
            Consumer<Errors> done) {
        Map<TopicPartition, Integer> nodes = new HashMap<>();
        for (Map.Entry<SharePartitionKey, Integer> entry : leaders.entrySet()) {
            SharePartitionKey key = entry.getKey();
            ClusterImage now = image.get();
            Optional<TopicInfo> topic = now.topic(key.topicId());
            Optional<PartitionInfo> info = topic.flatMap(found -> found.partition(key.partition()));
            if (info.isEmpty()) {
                continue; // deleted
            }
            if (info.get().leaderEpoch() < entry.getValue()) {
                // There is a later leader that this node does not know of yet.
                done.accept(Errors.NOT_LEADER_OR_FOLLOWER);
                return;
            }
            if (now.isAlive(info.get().leader())) {
                nodes.put(
                        new TopicPartition(topic.get().name(), key.partition()),
                        info.get().leader());
            }
        }
        if (nodes.isEmpty()) {
            done.accept(Errors.NONE);
            return;
        }
        Answers answers = new Answers(nodes.size(), done);
        answers.timer = loop.afterRealTime(PATIENCE_MS, () -> answers.finish(Errors.REQUEST_TIMED_OUT));
        nodes.forEach(
                (partition, node) -> peers.send(node, request(written, statePartition, partition), VERSIONS, answers));
    }

    private static WriteTxnMarkersRequestData request(
            WritableTxnMarker written, int statePartition, TopicPartition partition) {
        WritableTxnMarker marker = new WritableTxnMarker()
                .setProducerId(written.producerId())
                .setProducerEpoch(written.producerEpoch())
                .setTransactionResult(written.transactionResult())
                .setCoordinatorEpoch(written.coordinatorEpoch())
                .setTransactionVersion(written.transactionVersion())
                .setTopics(List.of(new WritableTxnMarkerTopic()
                        .setName(partition.topic())
                        .setPartitionIndexes(List.of(partition.partition()))));
        Extensions.setStatePartition(marker, statePartition);
        return new WriteTxnMarkersRequestData().setMarkers(List.of(marker));
    }

    /** What the leaders say. */
    private static final class Answers implements Peers.Reply {
        private final Consumer<Errors> done;
        private int open;
        private boolean over;
        private EventLoop.Timer timer = () -> {};

        Answers(int open, Consumer<Errors> done) {
            this.open = open;
            this.done = done;
        }

        @Override
        public void answered(short version, ApiMessage response) {
            boolean taken = ((WriteTxnMarkersResponseData) response)
                    .markers().stream()
                            .flatMap(marker -> marker.topics().stream())
                            .flatMap(topic -> topic.partitions().stream())
                            .allMatch(partition -> partition.errorCode() == Errors.NONE.code());
            open--;
            if (!taken) {
                finish(Errors.NOT_LEADER_OR_FOLLOWER);
            } else if (open == 0) {
                finish(Errors.NONE);
            }
        }

        @Override
        public void failed(Peers.Failure failure) {
            finish(Errors.NOT_LEADER_OR_FOLLOWER);
        }

        void finish(Errors error) {
            if (!over) {
                over = true;
                timer.cancel();
                done.accept(error);
            }
        }
    }
}
