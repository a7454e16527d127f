package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the markers of decided transactions to the leaders of their partitions, until each partition has its own:
 * markers for the same node travel together, in version 2 if both sides know it (KIP-1228). Belongs to the
 * coordinator's thread.
 */
final class MarkerSender {
    private static final Logger LOG = LoggerFactory.getLogger(MarkerSender.class);
    private static final VersionRange VERSIONS = VersionRange.of(1, 2);
    private static final long BACKOFF_MS = 20;

    private final Map<Integer, List<Entry>> queues = new HashMap<>();
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final Peers peers;
    private boolean closed;

    MarkerSender(EventLoop loop, Supplier<ClusterImage> image, Peers peers) {
        this.loop = loop;
        this.image = image;
        this.peers = peers;
    }

    /** A transaction whose markers are under way. */
    private static final class Ending {
        private final Set<TopicPartition> left;
        private final TransactionMetadata prepared;
        private final int coordinatorEpoch;
        private final BooleanSupplier stillWanted;
        private final Consumer<TopicPartition> eachWritten;
        private final Runnable whenWritten;
        private boolean over;

        Ending(
                TransactionMetadata prepared,
                int coordinatorEpoch,
                BooleanSupplier stillWanted,
                Consumer<TopicPartition> eachWritten,
                Runnable whenWritten) {
            this.left = new HashSet<>(prepared.partitions());
            this.prepared = prepared;
            this.coordinatorEpoch = coordinatorEpoch;
            this.stillWanted = stillWanted;
            this.eachWritten = eachWritten;
            this.whenWritten = whenWritten;
        }

        void written(TopicPartition partition) {
            if (left.remove(partition)) {
                eachWritten.accept(partition);
            }
        }

        void finishIfWritten() {
            if (left.isEmpty() && !over) {
                over = true;
                whenWritten.run();
            }
        }
    }

    /** The markers of one transaction for one node. */
    private record Entry(Ending ending, List<TopicPartition> partitions) {
        WritableTxnMarker marker() {
            TransactionMetadata prepared = ending.prepared;
            List<WritableTxnMarkerTopic> topics = new ArrayList<>();
            TxnTopics.byTopic(partitions)
                    .forEach((name, indexes) -> topics.add(
                            new WritableTxnMarkerTopic().setName(name).setPartitionIndexes(indexes)));
            return new WritableTxnMarker()
                    .setProducerId(prepared.producerId())
                    .setProducerEpoch(prepared.epoch())
                    .setTransactionResult(prepared.state() == TransactionState.PREPARE_COMMIT)
                    .setCoordinatorEpoch(ending.coordinatorEpoch)
                    .setTransactionVersion(prepared.clientVersion())
                    .setTopics(topics);
        }
    }

    /**
     * Sends the markers of a transaction.
     *
     * @param prepared the transaction, its end decided
     * @param coordinatorEpoch the leader epoch of the coordinator's partition
     * @param stillWanted asked before each try
     * @param eachWritten told of every partition that has its marker, or is gone
     * @param whenWritten run once that is true of all
     */
    void send(
            TransactionMetadata prepared,
            int coordinatorEpoch,
            BooleanSupplier stillWanted,
            Consumer<TopicPartition> eachWritten,
            Runnable whenWritten) {
        Ending ending = new Ending(prepared, coordinatorEpoch, stillWanted, eachWritten, whenWritten);
        dispatch(ending, List.copyOf(ending.left));
    }

    void close() {
        closed = true;
        queues.clear();
    }

    private void dispatch(Ending ending, List<TopicPartition> partitions) {
        if (closed || ending.over || !ending.stillWanted.getAsBoolean()) {
            return;
        }
        Map<Integer, List<TopicPartition>> byNode = new HashMap<>();
        List<TopicPartition> later = new ArrayList<>();
        ClusterImage now = image.get();
        for (TopicPartition partition : partitions) {
            Optional<PartitionInfo> info = now.partition(partition);
            if (info.isEmpty()) {
                ending.written(partition); // deleted
            } else if (now.isAlive(info.get().leader())) {
                byNode.computeIfAbsent(info.get().leader(), node -> new ArrayList<>())
                        .add(partition);
            } else {
                later.add(partition);
            }
        }
        byNode.forEach((node, those) -> enqueue(node, new Entry(ending, those)));
        again(ending, later);
        ending.finishIfWritten();
    }

    private void enqueue(int node, Entry entry) {
        List<Entry> queue = queues.computeIfAbsent(node, key -> new ArrayList<>());
        queue.add(entry);
        if (queue.size() == 1) {
            // What else comes in this turn of the loop goes with it.
            loop.execute(() -> flush(node));
        }
    }

    private void flush(int node) {
        List<Entry> entries = queues.remove(node);
        if (closed || entries == null) {
            return;
        }
        WriteTxnMarkersRequestData request = new WriteTxnMarkersRequestData();
        entries.forEach(entry -> request.markers().add(entry.marker()));
        peers.send(node, request, VERSIONS, new Peers.Reply() {
            @Override
            public void answered(short version, ApiMessage response) {
                answer(entries, (WriteTxnMarkersResponseData) response);
            }

            @Override
            public void failed(Peers.Failure failure) {
                entries.forEach(entry -> again(entry.ending(), entry.partitions()));
            }
        });
    }

    private void answer(List<Entry> entries, WriteTxnMarkersResponseData response) {
        for (Entry entry : entries) {
            List<TopicPartition> later = new ArrayList<>(entry.partitions());
            response.markers().stream()
                    .filter(result ->
                            result.producerId() == entry.ending().prepared.producerId())
                    .forEach(result -> take(entry, result, later));
            again(entry.ending(), later);
            entry.ending().finishIfWritten();
        }
    }

    private void take(Entry entry, WritableTxnMarkerResult result, List<TopicPartition> later) {
        Ending ending = entry.ending();
        result.topics()
                .forEach(topic -> topic.partitions().forEach(answer -> {
                    TopicPartition partition = new TopicPartition(topic.name(), answer.partitionIndex());
                    Errors error = Errors.forCode(answer.errorCode());
                    switch (error) {
                        case NONE, UNSUPPORTED_FOR_MESSAGE_FORMAT, UNSUPPORTED_VERSION -> {
                            ending.written(partition);
                            later.remove(partition);
                        }
                        case INVALID_PRODUCER_EPOCH, TRANSACTION_COORDINATOR_FENCED -> {
                            LOG.info(
                                    "{} does not take the marker of {}: {}; another coordinator or producer has it",
                                    partition,
                                    ending.prepared.transactionalId(),
                                    error);
                            ending.over = true;
                        }
                        case UNKNOWN_TOPIC_OR_PARTITION,
                                NOT_LEADER_OR_FOLLOWER,
                                NOT_ENOUGH_REPLICAS,
                                NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                                REQUEST_TIMED_OUT,
                                KAFKA_STORAGE_ERROR -> LOG.debug("{} does not take a marker yet: {}", partition, error);
                        default -> {
                            // As with a broker, the transaction stays where it is until another node coordinates it.
                            LOG.error(
                                    "{} answers the marker of {} with {}, which no broker does",
                                    partition,
                                    ending.prepared.transactionalId(),
                                    error);
                            ending.over = true;
                        }
                    }
                }));
    }

    private void again(Ending ending, List<TopicPartition> partitions) {
        if (!partitions.isEmpty() && !closed) {
            loop.afterRealTime(BACKOFF_MS, () -> dispatch(ending, partitions));
        }
    }
}
