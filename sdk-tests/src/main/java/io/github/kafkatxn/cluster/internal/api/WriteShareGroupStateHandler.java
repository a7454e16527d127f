package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.log.VerificationGuard;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.share.Extensions;
import io.github.kafkatxn.cluster.internal.share.Producer;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.share.StateChange;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification.Mode;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData.PartitionData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData.WriteStateData;
import org.apache.kafka.common.message.WriteShareGroupStateResponseData;
import org.apache.kafka.common.message.WriteShareGroupStateResponseData.PartitionResult;
import org.apache.kafka.common.message.WriteShareGroupStateResponseData.WriteStateResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * WriteShareGroupState (key 85), from node to node.
 *
 * <p><b>Versions</b>: 0-1. Version 1 tells how much is done with.
 *
 * <p><b>Behaviour</b>: never initialised, or negative epochs INVALID_REQUEST; older leader epoch FENCED_LEADER_EPOCH,
 * older state epoch FENCED_STATE_EPOCH. Needs CLUSTER_ACTION on the cluster. What belongs to a transaction (KIP-1289)
 * is verified with its coordinator before the first record of it is in the log, so that no marker can overtake it.
 *
 * <p><b>Left out</b>: nothing.
 */
final class WriteShareGroupStateHandler implements ApiHandler<WriteShareGroupStateRequestData> {
    private final NodeContext node;

    WriteShareGroupStateHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.WRITE_SHARE_GROUP_STATE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.WRITE_SHARE_GROUP_STATE);
    }

    @Override
    public void handle(Call<WriteShareGroupStateRequestData> call) {
        WriteShareGroupStateRequestData request = call.request();
        WriteShareGroupStateResponseData response = new WriteShareGroupStateResponseData();
        ShareStateRequests states = new ShareStateRequests(node, call, request.groupId());
        Optional<Producer> producer = Extensions.producer(request);
        Gathering gathering = new Gathering(() -> call.answer(response));
        for (WriteStateData topic : request.topics()) {
            WriteStateResult result = new WriteStateResult().setTopicId(topic.topicId());
            response.results().add(result);
            for (PartitionData data : topic.partitions()) {
                gathering.expect();
                Consumer<Errors> done = error -> {
                    result.partitions()
                            .add(new PartitionResult()
                                    .setPartition(data.partition())
                                    .setErrorCode(error.code()));
                    gathering.arrived();
                };
                Write write = new Write(
                        call, states, states.key(topic.topicId(), data.partition()), Extensions.change(data), done);
                producer.ifPresentOrElse(
                        by -> stage(write, by), () -> done.accept(write.append(ShareStateShard::write)));
            }
        }
        gathering.arrived();
    }

    /** A change of one share partition under way. */
    private record Write(
            Call<?> call, ShareStateRequests states, SharePartitionKey key, StateChange change, Consumer<Errors> done) {

        /** Puts a change that is allowed into the log. */
        interface Append {
            Errors to(ShareStateShard shard, SharePartitionKey key, StateChange change);
        }

        /** {@return what came of it, if this is still the coordinator} */
        Errors append(Append append) {
            return states.answer(
                    key,
                    shard -> {
                        Errors error = shard.check(key, change.stateEpoch(), change.leaderEpoch());
                        return error == Errors.NONE ? append.to(shard, key, change) : error;
                    },
                    error -> error);
        }
    }

    private void stage(Write write, Producer producer) {
        Optional<Errors> refused = write.states()
                .answer(
                        write.key(),
                        shard -> {
                            stage(write, producer, shard);
                            return Optional.empty();
                        },
                        Optional::of);
        refused.ifPresent(write.done());
    }

    private void stage(Write write, Producer producer, ShareStateShard shard) {
        Verification verification = shard.startVerification(producer);
        if (verification.error() != Errors.NONE) {
            write.done().accept(verification.error());
        } else if (!verification.needed()) {
            write.done().accept(append(write, producer, verification.guard()));
        } else {
            TopicPartition partition = new TopicPartition(InternalTopics.SHARE_STATE, shard.partition());
            node.verification()
                    .verify(
                            Mode.VERIFY_OR_ABORTABLE,
                            producer.transactionalId(),
                            producer.id(),
                            producer.epoch(),
                            List.of(partition),
                            write.call().guarded(errors -> {
                                Errors error = errors.getOrDefault(partition, Errors.NONE);
                                write.done()
                                        .accept(
                                                error == Errors.NONE
                                                        ? append(write, producer, verification.guard())
                                                        : error);
                            }));
        }
    }

    /** The coordinator may have moved while the transaction was verified. */
    private static Errors append(Write write, Producer producer, VerificationGuard guard) {
        return write.append((shard, key, change) -> shard.stage(key, change, producer, guard));
    }
}
