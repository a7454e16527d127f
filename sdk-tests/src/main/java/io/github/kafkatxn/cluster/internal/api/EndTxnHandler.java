package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.txn.ProducerIdentity;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * EndTxn (key 26).
 *
 * <p><b>Versions</b>: 0-5. 5 belongs to transaction version 2: the epoch is bumped, and the answer has the producer id
 * and epoch to go on with. Before 2 INVALID_PRODUCER_EPOCH stands for PRODUCER_FENCED.
 *
 * <p><b>Behaviour</b>: answers once the end is decided and in the log; the markers follow.
 *
 * <p><b>Left out</b>: nothing.
 */
final class EndTxnHandler implements ApiHandler<EndTxnRequestData> {
    private static final short KNOWS_FENCED = 2;
    private static final short BUMPS = 5;

    private final NodeContext node;
    private final Rights rights;

    EndTxnHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.END_TXN.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.END_TXN);
    }

    @Override
    public void handle(Call<EndTxnRequestData> call) {
        EndTxnRequestData request = call.request();
        boolean bumps = call.version() >= BUMPS;
        ProducerIdentity identity =
                rights.allows(call, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, request.transactionalId())
                        ? node.transactions()
                                .end(
                                        request.transactionalId(),
                                        request.producerId(),
                                        request.producerEpoch(),
                                        request.committed(),
                                        (byte) (bumps ? 2 : 0))
                        : ProducerIdentity.refused(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        boolean renamed = identity.error() == Errors.PRODUCER_FENCED && call.version() < KNOWS_FENCED;
        EndTxnResponseData response = new EndTxnResponseData()
                .setErrorCode((renamed ? Errors.INVALID_PRODUCER_EPOCH : identity.error()).code());
        call.answer(
                bumps ? response.setProducerId(identity.producerId()).setProducerEpoch(identity.epoch()) : response);
    }
}
