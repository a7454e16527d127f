package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.message.WriteShareGroupStateResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A node's way to the share coordinators, its own included: finds them, and tries again for a while where they have
 * moved or cannot be reached. Belongs to the node's thread.
 */
public final class ShareStates {
    private static final long BACKOFF_MS = 20;
    private static final int TRIES = 250;

    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final Peers peers;
    private final Consumer<String> createTopic;

    /**
     * Asks nobody yet.
     *
     * @param loop the node's thread and time
     * @param image what the node knows of the cluster
     * @param peers its way to the coordinators
     * @param createTopic makes an internal topic that is missing
     */
    public ShareStates(EventLoop loop, Supplier<ClusterImage> image, Peers peers, Consumer<String> createTopic) {
        this.loop = loop;
        this.image = image;
        this.peers = peers;
        this.createTopic = createTopic;
    }

    /**
     * A new beginning.
     *
     * @param key which share partition
     * @param stateEpoch the epoch of the beginning
     * @param startOffset where, -1 if the group's configuration says it
     * @param done told what came of it
     */
    public void initialise(SharePartitionKey key, int stateEpoch, long startOffset, Consumer<Errors> done) {
        InitializeShareGroupStateRequestData request = new InitializeShareGroupStateRequestData()
                .setGroupId(key.group())
                .setTopics(List.of(new InitializeShareGroupStateRequestData.InitializeStateData()
                        .setTopicId(key.topicId())
                        .setPartitions(List.of(new InitializeShareGroupStateRequestData.PartitionData()
                                .setPartition(key.partition())
                                .setStateEpoch(stateEpoch)
                                .setStartOffset(startOffset)))));
        ask(new Question<>(
                key,
                request,
                InitializeShareGroupStateResponseData.class,
                answer -> answer.results().get(0).partitions().get(0),
                InitializeShareGroupStateResponseData.PartitionResult::errorCode,
                (error, result) -> done.accept(error)));
    }

    /**
     * What is stored.
     *
     * @param key which share partition
     * @param leaderEpoch of its leader, who asks
     * @param done told the error, and what is stored if there is none
     */
    public void read(SharePartitionKey key, int leaderEpoch, BiConsumer<Errors, @Nullable Stored> done) {
        ReadShareGroupStateRequestData request = new ReadShareGroupStateRequestData()
                .setGroupId(key.group())
                .setTopics(List.of(new ReadShareGroupStateRequestData.ReadStateData()
                        .setTopicId(key.topicId())
                        .setPartitions(List.of(new ReadShareGroupStateRequestData.PartitionData()
                                .setPartition(key.partition())
                                .setLeaderEpoch(leaderEpoch)))));
        ask(new Question<>(
                key,
                request,
                ReadShareGroupStateResponseData.class,
                answer -> answer.results().get(0).partitions().get(0),
                ReadShareGroupStateResponseData.PartitionResult::errorCode,
                (error, result) -> done.accept(error, result == null ? null : Extensions.stored(result, leaderEpoch))));
    }

    /**
     * Keeps a change.
     *
     * @param key which share partition
     * @param change the change
     * @param producer in whose transaction, null for none
     * @param done told what came of it
     */
    void write(SharePartitionKey key, StateChange change, @Nullable Producer producer, Consumer<Errors> done) {
        WriteShareGroupStateRequestData request = new WriteShareGroupStateRequestData()
                .setGroupId(key.group())
                .setTopics(List.of(new WriteShareGroupStateRequestData.WriteStateData()
                        .setTopicId(key.topicId())
                        .setPartitions(List.of(new WriteShareGroupStateRequestData.PartitionData()
                                .setPartition(key.partition())
                                .setStateEpoch(change.stateEpoch())
                                .setLeaderEpoch(change.leaderEpoch())
                                .setStartOffset(change.startOffset())
                                .setDeliveryCompleteCount(change.completeCount())
                                .setStateBatches(change.batches().stream()
                                        .map(Extensions::toWrite)
                                        .toList())))));
        if (producer != null) {
            Extensions.setProducer(request, producer);
        }
        ask(new Question<>(
                key,
                request,
                WriteShareGroupStateResponseData.class,
                answer -> answer.results().get(0).partitions().get(0),
                WriteShareGroupStateResponseData.PartitionResult::errorCode,
                (error, result) -> done.accept(error)));
    }

    /**
     * Where a share partition is, and how much of it is done with.
     *
     * @param key which share partition
     * @param leaderEpoch as it is known
     * @param done told the error, and the answer if there is none
     */
    public void summarise(
            SharePartitionKey key,
            int leaderEpoch,
            BiConsumer<Errors, ReadShareGroupStateSummaryResponseData.@Nullable PartitionResult> done) {
        ReadShareGroupStateSummaryRequestData request = new ReadShareGroupStateSummaryRequestData()
                .setGroupId(key.group())
                .setTopics(List.of(new ReadShareGroupStateSummaryRequestData.ReadStateSummaryData()
                        .setTopicId(key.topicId())
                        .setPartitions(List.of(new ReadShareGroupStateSummaryRequestData.PartitionData()
                                .setPartition(key.partition())
                                .setLeaderEpoch(leaderEpoch)))));
        ask(new Question<>(
                key,
                request,
                ReadShareGroupStateSummaryResponseData.class,
                answer -> answer.results().get(0).partitions().get(0),
                ReadShareGroupStateSummaryResponseData.PartitionResult::errorCode,
                done));
    }

    /**
     * Forgets a share partition.
     *
     * @param key which
     * @param done told what came of it
     */
    public void delete(SharePartitionKey key, Consumer<Errors> done) {
        DeleteShareGroupStateRequestData request = new DeleteShareGroupStateRequestData()
                .setGroupId(key.group())
                .setTopics(List.of(new DeleteShareGroupStateRequestData.DeleteStateData()
                        .setTopicId(key.topicId())
                        .setPartitions(List.of(
                                new DeleteShareGroupStateRequestData.PartitionData().setPartition(key.partition())))));
        ask(new Question<>(
                key,
                request,
                DeleteShareGroupStateResponseData.class,
                answer -> answer.results().get(0).partitions().get(0),
                DeleteShareGroupStateResponseData.PartitionResult::errorCode,
                (error, result) -> done.accept(error)));
    }

    /** What is asked of one share partition: the answer has one result. */
    private record Question<R extends ApiMessage, P>(
            SharePartitionKey key,
            ApiMessage request,
            Class<R> type,
            Function<R, P> result,
            Function<P, Short> error,
            BiConsumer<Errors, @Nullable P> done) {

        P resultOf(ApiMessage response) {
            return result.apply(type.cast(response));
        }
    }

    private void ask(Question<?, ?> question) {
        ask(question, TRIES);
    }

    private <P> void ask(Question<?, P> question, int triesLeft) {
        if (triesLeft == 0) {
            question.done().accept(Errors.COORDINATOR_NOT_AVAILABLE, null);
            return;
        }
        ClusterImage now = image.get();
        if (now.topic(InternalTopics.SHARE_STATE).isEmpty()) {
            createTopic.accept(InternalTopics.SHARE_STATE);
        }
        Optional<NodeInfo> coordinator =
                now.coordinator(InternalTopics.SHARE_STATE, question.key().coordinatorKey());
        if (coordinator.isEmpty()) {
            again(question, triesLeft);
            return;
        }
        ApiMessage request = question.request();
        VersionRange versions = new VersionRange(request.lowestSupportedVersion(), request.highestSupportedVersion());
        peers.send(coordinator.get().id(), request, versions, new Peers.Reply() {
            @Override
            public void answered(short version, ApiMessage response) {
                P result = question.resultOf(response);
                Errors error = Errors.forCode(question.error().apply(result));
                switch (error) {
                    case NOT_COORDINATOR, COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NETWORK_EXCEPTION ->
                        again(question, triesLeft);
                    default -> question.done().accept(error, error == Errors.NONE ? result : null);
                }
            }

            @Override
            public void failed(Peers.Failure failure) {
                again(question, triesLeft);
            }
        });
    }

    private void again(Question<?, ?> question, int triesLeft) {
        loop.afterRealTime(BACKOFF_MS, () -> ask(question, triesLeft - 1));
    }
}
