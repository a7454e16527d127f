package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.api.ShareRequests.Target;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.share.AckType;
import io.github.kafkatxn.cluster.internal.share.Acknowledgement;
import io.github.kafkatxn.cluster.internal.share.Producer;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.StagingPlan;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification.Mode;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge.Partition;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge.PartitionResult;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge.Request;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge.Response;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge.TopicResult;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * TxnShareAcknowledge (key 95, KIP-1289, a draft).
 *
 * <p><b>Versions</b>: 0, where {@code share.version} is 3.
 *
 * <p><b>Behaviour</b>: WRITE on the transactional id, READ on the group and the topics. The group coordinator is asked
 * for the member: unknown UNKNOWN_MEMBER_ID, another epoch STALE_MEMBER_EPOCH, for the request as a whole. Each
 * partition for itself, all of it or nothing: a record that the member does not hold INVALID_RECORD_STATE, also one
 * that is done with. Then the state partitions are added to the transaction, and only then the acknowledgements are
 * staged: the records are TX_PENDING until the transaction ends. A request that comes again is answered as before.
 *
 * <p><b>Left out</b>: throttling.
 */
final class TxnShareAcknowledgeHandler implements ApiHandler<Request> {
    private final NodeContext node;
    private final ShareMembership membership;

    TxnShareAcknowledgeHandler(NodeContext node) {
        this.node = node;
        this.membership = new ShareMembership(node);
    }

    @Override
    public short key() {
        return TxnShareAcknowledge.KEY;
    }

    @Override
    public VersionRange versions() {
        return VersionRange.of(TxnShareAcknowledge.VERSION, TxnShareAcknowledge.VERSION);
    }

    @Override
    public void handle(Call<Request> call) {
        Request request = call.request();
        String transactionalId = request.transactionalId();
        if (transactionalId == null || transactionalId.isEmpty()) {
            refuse(call, Errors.INVALID_REQUEST);
            return;
        }
        if (!node.authorizer()
                .allows(call.principal(), AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, transactionalId)) {
            refuse(call, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
            return;
        }
        Errors error = ShareRequests.checkMember(node, call, request.groupId(), request.memberId());
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        Producer producer = new Producer(transactionalId, request.producerId(), request.producerEpoch());
        membership.check(request.groupId(), request.memberId(), request.memberEpoch(), checked -> {
            if (checked == Errors.NONE) {
                plan(call, producer);
            } else {
                refuse(call, checked);
            }
        });
    }

    private static void refuse(Call<Request> call, Errors error) {
        call.answer(new Response(0, error.code(), List.of()));
    }

    /** Reads share partitions that nobody has asked for here, then plans; the results are known one by one. */
    private void plan(Call<Request> call, Producer producer) {
        Map<SharePartitionKey, Errors> results = new LinkedHashMap<>();
        List<StagingPlan> plans = new ArrayList<>();
        Gathering gathering = new Gathering(call.guarded(() -> register(call, producer, plans, results)));
        call.request()
                .topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    gathering.expect();
                    SharePartitionKey key =
                            new SharePartitionKey(call.request().groupId(), topic.topicId(), partition.index());
                    results.put(key, Errors.NONE);
                    plan(
                            call,
                            producer,
                            key,
                            partition,
                            plan -> {
                                plans.add(plan);
                                gathering.arrived();
                            },
                            error -> {
                                results.put(key, error);
                                gathering.arrived();
                            });
                }));
        gathering.arrived();
    }

    private void plan(
            Call<Request> call,
            Producer producer,
            SharePartitionKey key,
            Partition asked,
            Consumer<StagingPlan> planned,
            Consumer<Errors> refused) {
        Target target = ShareRequests.target(node, call, key.topicId(), key.partition());
        LedPartition led = target.led();
        List<Acknowledgement> batches = asked.batches().stream()
                .map(batch -> new Acknowledgement(batch.firstOffset(), batch.lastOffset(), batch.types()))
                .toList();
        if (led == null) {
            refused.accept(target.error());
        } else if (!Acknowledgement.refusal(batches, AckType.REJECT, false).isEmpty()) {
            refused.accept(Errors.INVALID_REQUEST);
        } else {
            node.share().partitions().load(key.group(), led, (error, share) -> {
                if (share == null) {
                    refused.accept(error);
                    return;
                }
                StagingPlan plan = share.plan(call.request().memberId(), producer, batches);
                if (plan.error() == Errors.NONE) {
                    planned.accept(plan);
                } else {
                    refused.accept(plan.error());
                }
            });
        }
    }

    /** Makes the state partitions part of the transaction. */
    private void register(
            Call<Request> call, Producer producer, List<StagingPlan> plans, Map<SharePartitionKey, Errors> results) {
        if (plans.isEmpty()) {
            answer(call, results);
            return;
        }
        List<TopicPartition> statePartitions = plans.stream()
                .map(plan -> statePartition(plan.key()))
                .distinct()
                .toList();
        node.verification()
                .verify(
                        Mode.ADD,
                        producer.transactionalId(),
                        producer.id(),
                        producer.epoch(),
                        statePartitions,
                        call.guarded(errors -> stage(call, plans, errors, results)));
    }

    private TopicPartition statePartition(SharePartitionKey key) {
        int index = node.share()
                .coordinator()
                .partitionOf(key)
                .map(PartitionInfo::index)
                .orElseThrow();
        return new TopicPartition(InternalTopics.SHARE_STATE, index);
    }

    private void stage(
            Call<Request> call,
            List<StagingPlan> plans,
            Map<TopicPartition, Errors> registered,
            Map<SharePartitionKey, Errors> results) {
        Gathering gathering = new Gathering(call.guarded(() -> answer(call, results)));
        for (StagingPlan plan : plans) {
            Errors error = registered.getOrDefault(statePartition(plan.key()), Errors.NONE);
            if (error != Errors.NONE) {
                plan.drop();
                results.put(plan.key(), toClient(error));
                continue;
            }
            gathering.expect();
            plan.stage(staged -> {
                results.put(plan.key(), toClient(staged));
                gathering.arrived();
            });
        }
        gathering.arrived();
    }

    /** The client talks to the partition's leader: it can not look for a transaction coordinator on its behalf. */
    private static Errors toClient(Errors error) {
        return switch (error) {
            case NOT_COORDINATOR, NETWORK_EXCEPTION -> Errors.COORDINATOR_NOT_AVAILABLE;
            default -> error;
        };
    }

    private static void answer(Call<Request> call, Map<SharePartitionKey, Errors> results) {
        Map<Uuid, List<PartitionResult>> topics = new LinkedHashMap<>();
        results.forEach((key, error) -> topics.computeIfAbsent(key.topicId(), id -> new ArrayList<>())
                .add(new PartitionResult(
                        key.partition(), error.code(), error == Errors.NONE ? null : error.message())));
        List<TopicResult> answered = new ArrayList<>();
        topics.forEach((id, partitions) -> answered.add(new TopicResult(id, partitions)));
        call.answer(new Response(0, Errors.NONE.code(), answered));
    }
}
