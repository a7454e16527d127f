package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Produce (key 0).
 *
 * <p><b>Versions</b>: 3-13. From 10 on the new leader goes with NOT_LEADER_OR_FOLLOWER, from 12 on the partition is
 * added to the transaction implicitly, 13 names topics by their ids.
 *
 * <p><b>Behaviour</b>: partitions fail one by one. What opens a transaction is verified with its coordinator first.
 * With acks=0 there is no answer, and the connection is closed if anything fails. With acks=-1 as many replicas have to
 * be up as {@code min.insync.replicas} says.
 *
 * <p><b>Left out</b>: replication, so nothing is waited for after the append; quotas; another {@code compression.type}
 * of the topic than that of the batch; retention and compaction.
 */
final class ProduceHandler implements ApiHandler<ProduceRequestData> {
    private final NodeContext node;

    ProduceHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.PRODUCE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.PRODUCE);
    }

    @Override
    public void handle(Call<ProduceRequestData> call) {
        List<ProducePart> parts = parts(call.request());
        Errors error = checkAll(call, parts);
        if (error == Errors.NONE) {
            parts.forEach(part -> check(call, part));
            error = checkProducers(parts);
        }
        if (error != Errors.NONE) {
            Errors ofAll = error;
            parts.forEach(part -> part.refused(ofAll, ofAll.message()));
        }
        new ProduceAppends(node, call, parts, () -> answer(call, parts)).start();
    }

    private List<ProducePart> parts(ProduceRequestData request) {
        List<ProducePart> parts = new ArrayList<>();
        for (TopicProduceData topic : request.topicData()) {
            boolean byName = topic.topicId().equals(Uuid.ZERO_UUID);
            Optional<TopicInfo> info = byName
                    ? node.image().get().topic(topic.name())
                    : node.image().get().topic(topic.topicId());
            String name = info.map(TopicInfo::name).orElse(topic.name());
            Uuid id = info.map(TopicInfo::id).orElse(topic.topicId());
            for (PartitionProduceData data : topic.partitionData()) {
                MemoryRecords records = data.records() instanceof MemoryRecords sent ? sent : MemoryRecords.EMPTY;
                parts.add(new ProducePart(new TopicIdPartition(id, new TopicPartition(name, data.index())), records));
            }
        }
        return parts;
    }

    private Errors checkAll(Call<ProduceRequestData> call, List<ProducePart> parts) {
        try {
            String id = call.request().transactionalId();
            boolean allowed = id != null
                    && node.authorizer()
                            .allows(call.principal(), AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id);
            return !allowed && parts.stream().anyMatch(ProducePart::isTransactional)
                    ? Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
                    : Errors.NONE;
        } catch (ApiException e) {
            return Errors.forException(e);
        }
    }

    private void check(Call<ProduceRequestData> call, ProducePart part) {
        String topic = part.partition().topic();
        if (topic.isEmpty() && call.version() >= 13) {
            part.refused(Errors.UNKNOWN_TOPIC_ID);
        } else if (!node.authorizer().allows(call.principal(), AclOperation.WRITE, ResourceType.TOPIC, topic)) {
            part.refused(Errors.TOPIC_AUTHORIZATION_FAILED);
        } else if (node.image()
                .get()
                .partition(part.partition().topicPartition())
                .isEmpty()) {
            part.refused(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        } else {
            try {
                ProduceRequest.validateRecords(call.version(), part.records());
            } catch (ApiException e) {
                part.refused(Errors.forException(e));
            }
        }
    }

    private static Errors checkProducers(List<ProducePart> parts) {
        record Producer(long id, short epoch) {}
        long producers = parts.stream()
                .filter(part -> part.isOpen() && part.isTransactional())
                .map(ProducePart::batch)
                .map(batch -> new Producer(batch.producerId(), batch.producerEpoch()))
                .distinct()
                .count();
        return producers > 1 ? Errors.INVALID_PRODUCER_ID_MAPPING : Errors.NONE;
    }

    private void answer(Call<ProduceRequestData> call, List<ProducePart> parts) {
        if (call.request().acks() == 0) {
            if (parts.stream().allMatch(part -> part.result().error() == Errors.NONE)) {
                call.noAnswer();
            } else {
                call.disconnect();
            }
            return;
        }
        ProduceResponseData response = new ProduceResponseData();
        Leaders.Hints hints = new Leaders(node).hints();
        for (ProducePart part : parts) {
            TopicProduceResponse topic = response.responses()
                    .find(part.partition().topic(), part.partition().topicId());
            if (topic == null) {
                topic = new TopicProduceResponse()
                        .setName(part.partition().topic())
                        .setTopicId(part.partition().topicId());
                response.responses().add(topic);
            }
            topic.partitionResponses().add(answer(part, call.version() >= 10, hints));
        }
        hints.nodes()
                .forEach(leader -> response.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(leader.id())
                                .setHost(leader.host())
                                .setPort(leader.port())));
        call.answer(response);
    }

    private static PartitionProduceResponse answer(ProducePart part, boolean namesLeaders, Leaders.Hints hints) {
        Appended result = part.result();
        PartitionProduceResponse answer = new PartitionProduceResponse()
                .setIndex(part.partition().partition())
                .setErrorCode(result.error().code())
                .setBaseOffset(result.baseOffset())
                .setLogAppendTimeMs(result.logAppendTime())
                .setLogStartOffset(part.logStartOffset())
                .setErrorMessage(part.message());
        result.recordErrors()
                .forEach((index, message) -> answer.recordErrors()
                        .add(new BatchIndexAndErrorMessage()
                                .setBatchIndex(index)
                                .setBatchIndexErrorMessage(message)));
        if (namesLeaders && result.error() == Errors.NOT_LEADER_OR_FOLLOWER) {
            PartitionInfo info = hints.of(part.partition().topicPartition());
            answer.currentLeader().setLeaderId(info.leader()).setLeaderEpoch(info.leaderEpoch());
        }
        return answer;
    }
}
