package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.txn.TransactionMetadata;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * DescribeTransactions (key 65).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: what the coordinator knows of each id; topics that the caller may not see are left out. Needs
 * DESCRIBE on the id.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DescribeTransactionsHandler implements ApiHandler<DescribeTransactionsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    DescribeTransactionsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_TRANSACTIONS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_TRANSACTIONS);
    }

    @Override
    public void handle(Call<DescribeTransactionsRequestData> call) {
        DescribeTransactionsResponseData response = new DescribeTransactionsResponseData();
        call.request()
                .transactionalIds()
                .forEach(id -> response.transactionStates().add(describe(call, id)));
        call.answer(response);
    }

    private TransactionState describe(Call<?> call, String id) {
        if (!rights.allows(call, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, id)) {
            return refused(id, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        }
        if (id.isEmpty()) {
            return refused(id, Errors.INVALID_REQUEST);
        }
        Errors unavailable = node.transactions().check(id);
        if (unavailable != Errors.NONE) {
            return refused(id, unavailable);
        }
        Optional<TransactionMetadata> found = node.transactions().find(id);
        if (found.isEmpty()) {
            return refused(id, Errors.TRANSACTIONAL_ID_NOT_FOUND);
        }
        TransactionMetadata metadata = found.get();
        TransactionState state = new TransactionState()
                .setTransactionalId(id)
                .setTransactionState(metadata.state().title())
                .setProducerId(metadata.producerId())
                .setProducerEpoch(metadata.epoch())
                .setTransactionTimeoutMs(metadata.timeoutMs())
                .setTransactionStartTimeMs(metadata.startMs());
        for (TopicPartition partition : metadata.partitions()) {
            if (rights.allows(call, AclOperation.DESCRIBE, ResourceType.TOPIC, partition.topic())) {
                TopicData topic = state.topics().find(partition.topic());
                if (topic == null) {
                    topic = new TopicData().setTopic(partition.topic()).setPartitions(new ArrayList<>());
                    state.topics().add(topic);
                }
                topic.partitions().add(partition.partition());
            }
        }
        return state;
    }

    private static TransactionState refused(String id, Errors error) {
        return new TransactionState().setTransactionalId(id).setErrorCode(error.code());
    }
}
