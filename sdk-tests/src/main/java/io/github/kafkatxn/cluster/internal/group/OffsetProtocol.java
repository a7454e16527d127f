package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.group.Group.Committer;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.log.VerificationGuard;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of groups. Topics and partitions of requests are known to exist, and carry both their names and their ids.
 * What concerns a whole request is thrown as an {@link ApiException}.
 */
public final class OffsetProtocol {
    private final GroupStore store;
    private final ClassicProtocol classic;

    OffsetProtocol(GroupStore store, ClassicProtocol classic) {
        this.store = store;
        this.classic = classic;
    }

    /**
     * OffsetCommit.
     *
     * @param caller who asks
     * @param request what
     * @return the answer
     */
    public OffsetCommitResponseData commit(Caller caller, OffsetCommitRequestData request) {
        Committer committer = new Committer(
                request.memberId(),
                request.groupInstanceId(),
                request.generationIdOrMemberEpoch(),
                false,
                caller.version());
        Group group = groupFor(request.groupId(), committer, caller.version() >= 9);
        Accepted accepted = new Accepted(group.checkCommit(committer));
        classic.committed(group, request.memberId());
        OffsetCommitResponseData response = new OffsetCommitResponseData();
        request.topics().forEach(topic -> {
            OffsetCommitResponseTopic answered =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions().forEach(partition -> {
                Errors error = accepted.take(
                        topic.topicId(),
                        new TopicPartition(topic.name(), partition.partitionIndex()),
                        partition.committedOffset(),
                        partition.committedLeaderEpoch(),
                        partition.committedMetadata());
                answered.partitions()
                        .add(new OffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code()));
            });
            response.topics().add(answered);
        });
        store.commit(group.id(), accepted.offsets);
        return response;
    }

    /**
     * What to do before offsets are committed in a transaction.
     *
     * @param producerId whose transaction
     * @param producerEpoch its epoch
     * @param epochBump whether the request belongs to transaction version 2
     * @return whether the transaction coordinator has to be asked
     */
    public Verification startVerification(long producerId, short producerEpoch, boolean epochBump) {
        return store.startVerification(producerId, producerEpoch, epochBump);
    }

    /**
     * TxnOffsetCommit, once the transaction coordinator knows that this partition belongs to the transaction.
     *
     * @param caller who asks
     * @param request what
     * @param guard of the verification
     * @return the answer
     */
    public TxnOffsetCommitResponseData commitInTransaction(
            Caller caller, TxnOffsetCommitRequestData request, VerificationGuard guard) {
        Committer committer = new Committer(
                request.memberId(),
                request.groupInstanceId(),
                request.generationIdOrMemberEpoch(),
                true,
                caller.version());
        boolean tellsMore = caller.version() >= 6;
        Group group = groupFor(request.groupId(), committer, tellsMore);
        Accepted accepted = new Accepted(checkInTransaction(group, committer, tellsMore));
        TxnOffsetCommitResponseData response = new TxnOffsetCommitResponseData();
        request.topics().forEach(topic -> {
            TxnOffsetCommitResponseTopic answered =
                    new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions().forEach(partition -> {
                Errors error = accepted.take(
                        topic.topicId(),
                        new TopicPartition(topic.name(), partition.partitionIndex()),
                        partition.committedOffset(),
                        partition.committedLeaderEpoch(),
                        partition.committedMetadata());
                answered.partitions()
                        .add(new TxnOffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code()));
            });
            response.topics().add(answered);
        });
        store.commitInTransaction(group.id(), request.producerId(), request.producerEpoch(), accepted.offsets, guard);
        return response;
    }

    /**
     * OffsetFetch of one group.
     *
     * @param request the group, with its topics or null for all
     * @param requireStable whether pending offsets make a partition unstable
     * @return the answer
     */
    public OffsetFetchResponseGroup fetch(OffsetFetchRequestGroup request, boolean requireStable) {
        store.find(request.groupId()).ifPresent(group -> group.checkFetch(request.memberId(), request.memberEpoch()));
        OffsetFetchResponseGroup response = new OffsetFetchResponseGroup().setGroupId(request.groupId());
        if (request.topics() == null) {
            Map<TopicIdAndName, OffsetFetchResponseTopics> topics = new LinkedHashMap<>();
            store.offsets()
                    .committed(request.groupId())
                    .forEach((partition, offset) -> topics.computeIfAbsent(
                                    new TopicIdAndName(offset.topicId(), partition.topic()),
                                    topic -> new OffsetFetchResponseTopics()
                                            .setName(topic.name())
                                            .setTopicId(topic.id()))
                            .partitions()
                            .add(fetched(request.groupId(), partition, offset, requireStable)));
            response.topics().addAll(topics.values());
            return response;
        }
        for (OffsetFetchRequestTopics topic : request.topics()) {
            OffsetFetchResponseTopics answered =
                    new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
            for (int index : topic.partitionIndexes()) {
                TopicPartition partition = new TopicPartition(topic.name(), index);
                CommittedOffset offset = store.offsets().find(request.groupId(), partition);
                CommittedOffset visible = offset == null || !offset.belongsTo(topic.topicId()) ? null : offset;
                answered.partitions().add(fetched(request.groupId(), partition, visible, requireStable));
            }
            response.topics().add(answered);
        }
        return response;
    }

    /**
     * OffsetDelete.
     *
     * @param request what
     * @return the answer
     */
    public OffsetDeleteResponseData delete(OffsetDeleteRequestData request) {
        Group group = store.find(request.groupId()).orElseThrow(Errors.GROUP_ID_NOT_FOUND::exception);
        group.checkOffsetDelete();
        OffsetDeleteResponseData response = new OffsetDeleteResponseData();
        request.topics().forEach(topic -> {
            boolean subscribed = group.isSubscribedTo(topic.name());
            OffsetDeleteResponseTopic answered = new OffsetDeleteResponseTopic().setName(topic.name());
            topic.partitions().forEach(asked -> {
                TopicPartition partition = new TopicPartition(topic.name(), asked.partitionIndex());
                if (!subscribed && store.offsets().partitions(group.id()).contains(partition)) {
                    store.deleteOffset(group.id(), partition);
                }
                Errors error = subscribed ? Errors.GROUP_SUBSCRIBED_TO_TOPIC : Errors.NONE;
                answered.partitions()
                        .add(new OffsetDeleteResponsePartition()
                                .setPartitionIndex(asked.partitionIndex())
                                .setErrorCode(error.code()));
            });
            response.topics().add(answered);
        });
        return response;
    }

    /** Who has no group but does not claim to be a member of one gets a group that only keeps offsets. */
    private Group groupFor(String id, Committer committer, boolean tellsMore) {
        return store.find(id).orElseGet(() -> {
            if (committer.epoch() >= 0) {
                throw (tellsMore ? Errors.GROUP_ID_NOT_FOUND : Errors.ILLEGAL_GENERATION).exception();
            }
            return store.simpleGroup(id);
        });
    }

    /** Clients of versions that do not know STALE_MEMBER_EPOCH here are told ILLEGAL_GENERATION (KIP-1319). */
    private static CommitCheck checkInTransaction(Group group, Committer committer, boolean tellsMore) {
        if (tellsMore) {
            return group.checkCommit(committer);
        }
        CommitCheck check = hidingStale(() -> group.checkCommit(committer));
        return (topicId, partition) -> hidingStale(() -> {
            check.check(topicId, partition);
            return check;
        });
    }

    private static CommitCheck hidingStale(Supplier<CommitCheck> check) {
        try {
            return check.get();
        } catch (StaleMemberEpochException e) {
            throw Errors.ILLEGAL_GENERATION.exception();
        }
    }

    /** The offsets of a request that are good to be kept. */
    private final class Accepted {
        final Map<TopicPartition, CommittedOffset> offsets = new LinkedHashMap<>();
        private final CommitCheck check;

        Accepted(CommitCheck check) {
            this.check = check;
        }

        /** {@return what is wrong with this offset; what is wrong with the request is thrown} */
        Errors take(Uuid topicId, TopicPartition partition, long offset, int leaderEpoch, @Nullable String metadata) {
            long limit = store.context().settings().number("offset.metadata.max.bytes");
            if (metadata != null && metadata.length() > limit) {
                return Errors.OFFSET_METADATA_TOO_LARGE;
            }
            check.check(topicId, partition.partition());
            long now = store.context().loop().millis();
            offsets.put(
                    partition,
                    new CommittedOffset(topicId, offset, leaderEpoch, metadata == null ? "" : metadata, now, -1));
            return Errors.NONE;
        }
    }

    private OffsetFetchResponsePartitions fetched(
            String group, TopicPartition partition, @Nullable CommittedOffset offset, boolean requireStable) {
        OffsetFetchResponsePartitions answered =
                new OffsetFetchResponsePartitions().setPartitionIndex(partition.partition());
        if (requireStable && store.offsets().hasPending(group, partition)) {
            return answered.setErrorCode(Errors.UNSTABLE_OFFSET_COMMIT.code())
                    .setCommittedOffset(-1)
                    .setCommittedLeaderEpoch(-1)
                    .setMetadata("");
        }
        if (offset == null) {
            return answered.setCommittedOffset(-1).setCommittedLeaderEpoch(-1).setMetadata("");
        }
        return answered.setCommittedOffset(offset.offset())
                .setCommittedLeaderEpoch(offset.leaderEpoch())
                .setMetadata(offset.metadata());
    }

    private record TopicIdAndName(Uuid id, String name) {}
}
