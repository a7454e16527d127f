package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * AddOffsetsToTxn (key 25).
 *
 * <p><b>Versions</b>: 0-4. Before 2 INVALID_PRODUCER_EPOCH stands for PRODUCER_FENCED.
 *
 * <p><b>Behaviour</b>: adds the group's partition of {@code __consumer_offsets} to the transaction, also while there is
 * no such topic: whoever looks for the group's coordinator afterwards has it created. Needs WRITE on the transactional
 * id and READ on the group.
 *
 * <p><b>Left out</b>: nothing.
 */
final class AddOffsetsToTxnHandler implements ApiHandler<AddOffsetsToTxnRequestData> {
    private static final short KNOWS_FENCED = 2;

    private final NodeContext node;
    private final Rights rights;

    AddOffsetsToTxnHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.ADD_OFFSETS_TO_TXN.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.ADD_OFFSETS_TO_TXN);
    }

    @Override
    public void handle(Call<AddOffsetsToTxnRequestData> call) {
        Errors error = add(call, call.request());
        boolean renamed = error == Errors.PRODUCER_FENCED && call.version() < KNOWS_FENCED;
        call.answer(new AddOffsetsToTxnResponseData()
                .setErrorCode((renamed ? Errors.INVALID_PRODUCER_EPOCH : error).code()));
    }

    private Errors add(Call<?> call, AddOffsetsToTxnRequestData request) {
        if (!rights.allows(call, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, request.transactionalId())) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        if (!rights.allows(call, AclOperation.READ, ResourceType.GROUP, request.groupId())) {
            return Errors.GROUP_AUTHORIZATION_FAILED;
        }
        int partitions = node.image()
                .get()
                .topic(InternalTopics.OFFSETS)
                .map(topic -> topic.partitions().size())
                .orElseGet(() -> Math.toIntExact(node.settings().number("offsets.topic.num.partitions")));
        int partition = InternalTopics.partitionFor(request.groupId(), partitions);
        return node.transactions()
                .add(
                        request.transactionalId(),
                        request.producerId(),
                        request.producerEpoch(),
                        Set.of(new TopicPartition(InternalTopics.OFFSETS, partition)),
                        (byte) 0);
    }
}
