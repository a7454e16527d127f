package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.GroupErrors;
import io.github.kafkatxn.cluster.internal.group.GroupShard;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification.Mode;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.common.resource.ResourceType;

/**
 * TxnOffsetCommit (key 28).
 *
 * <p><b>Versions</b>: 0-6. From 3 on with the metadata of the group, from 5 on (transaction version 2) the partition of
 * the group is added to the transaction, 6 names topics by their ids (KIP-1319).
 *
 * <p><b>Behaviour</b>: WRITE on the transactional id, READ on the group. Each topic: unknown id UNKNOWN_TOPIC_ID, no
 * READ TOPIC_AUTHORIZATION_FAILED, unknown name or partition UNKNOWN_TOPIC_OR_PARTITION; the others go on. The
 * transaction is verified, or the partition added to it, before the group is looked at: a request that the group
 * refuses has added it all the same.
 *
 * <p><b>Left out</b>: nothing.
 */
final class TxnOffsetCommitHandler implements ApiHandler<TxnOffsetCommitRequestData> {
    private static final int LOADING_SINCE = 2;
    private static final int ABORTABLE_SINCE = 4;
    private static final int TRANSACTION_V2_SINCE = 5;
    private static final int TOPIC_IDS_SINCE = 6;

    private final NodeContext node;

    TxnOffsetCommitHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.TXN_OFFSET_COMMIT.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.TXN_OFFSET_COMMIT);
    }

    @Override
    public void handle(Call<TxnOffsetCommitRequestData> call) {
        TxnOffsetCommitRequestData request = call.request();
        TxnOffsetCommitResponse.Builder response =
                TxnOffsetCommitResponse.newBuilder(call.version() >= TOPIC_IDS_SINCE);
        Errors refused = authorize(call);
        if (refused != Errors.NONE) {
            call.answer(TxnOffsetCommitRequest.getErrorResponse(request, refused));
            return;
        }
        TxnOffsetCommitRequestData good = request.duplicate().setTopics(new ArrayList<>());
        request.topics().forEach(topic -> sort(call, topic, good, response));
        if (good.topics().isEmpty()) {
            call.answer(response.build().data());
            return;
        }
        try {
            verify(new Commit(call, good, response));
        } catch (ApiException e) {
            fail(new Commit(call, good, response), Errors.forException(e));
        }
    }

    /** A request under way: what there is to commit, and what is answered already. */
    private record Commit(
            Call<TxnOffsetCommitRequestData> call,
            TxnOffsetCommitRequestData good,
            TxnOffsetCommitResponse.Builder response) {}

    private Errors authorize(Call<TxnOffsetCommitRequestData> call) {
        TxnOffsetCommitRequestData request = call.request();
        if (!node.authorizer()
                .allows(
                        call.principal(),
                        AclOperation.WRITE,
                        ResourceType.TRANSACTIONAL_ID,
                        request.transactionalId())) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        return GroupRequests.mayGroup(node, call, AclOperation.READ, request.groupId())
                ? Errors.NONE
                : Errors.GROUP_AUTHORIZATION_FAILED;
    }

    private void verify(Commit commit) {
        TxnOffsetCommitRequestData good = commit.good();
        if (good.groupId().isEmpty()) {
            throw Errors.INVALID_GROUP_ID.exception();
        }
        short version = commit.call().version();
        GroupShard shard = node.groups().shardOf(good.groupId());
        Verification verification = shard.offsets()
                .startVerification(good.producerId(), good.producerEpoch(), version >= TRANSACTION_V2_SINCE);
        TopicPartition partition = node.groups().partitionOf(good.groupId()).orElseThrow();
        if (verification.error() != Errors.NONE) {
            fail(commit, verification.error());
        } else if (!verification.needed()) {
            commit(commit, verification);
        } else {
            node.verification()
                    .verify(
                            mode(version),
                            good.transactionalId(),
                            good.producerId(),
                            good.producerEpoch(),
                            List.of(partition),
                            commit.call().guarded(errors -> {
                                Errors error = errors.getOrDefault(partition, Errors.NONE);
                                if (error == Errors.NONE) {
                                    commit(commit, verification);
                                } else {
                                    fail(commit, GroupErrors.ofLog(error));
                                }
                            }));
        }
    }

    private static Mode mode(short version) {
        if (version >= TRANSACTION_V2_SINCE) {
            return Mode.ADD;
        }
        return version >= ABORTABLE_SINCE ? Mode.VERIFY_OR_ABORTABLE : Mode.VERIFY_OR_INVALID_TXN_STATE;
    }

    /** The coordinator may have moved while the transaction was verified. */
    private void commit(Commit commit, Verification verification) {
        try {
            commit.response()
                    .merge(node.groups()
                            .shardOf(commit.good().groupId())
                            .offsets()
                            .commitInTransaction(
                                    GroupRequests.caller(commit.call()), commit.good(), verification.guard()));
            commit.call().answer(commit.response().build().data());
        } catch (ApiException e) {
            fail(commit, Errors.forException(e));
        }
    }

    private static void fail(Commit commit, Errors error) {
        boolean hidden =
                error == Errors.COORDINATOR_LOAD_IN_PROGRESS && commit.call().version() < LOADING_SINCE;
        commit.response()
                .merge(TxnOffsetCommitRequest.getErrorResponse(
                        commit.good(), hidden ? Errors.COORDINATOR_NOT_AVAILABLE : error));
        commit.call().answer(commit.response().build().data());
    }

    /** Puts partitions that exist into the good request, and the others into the answer. */
    private void sort(
            Call<?> call,
            TxnOffsetCommitRequestTopic asked,
            TxnOffsetCommitRequestData good,
            TxnOffsetCommitResponse.Builder response) {
        OffsetsTopic topic =
                OffsetsTopic.of(node, call, call.version() >= TOPIC_IDS_SINCE, asked.topicId(), asked.name());
        TxnOffsetCommitRequestTopic taken =
                new TxnOffsetCommitRequestTopic().setName(topic.name()).setTopicId(topic.id());
        for (TxnOffsetCommitRequestPartition partition : asked.partitions()) {
            Errors error = topic.check(partition.partitionIndex());
            if (error == Errors.NONE) {
                taken.partitions().add(partition);
            } else {
                response.addPartition(topic.id(), topic.name(), partition.partitionIndex(), error);
            }
        }
        if (!taken.partitions().isEmpty()) {
            good.topics().add(taken);
        }
    }
}
