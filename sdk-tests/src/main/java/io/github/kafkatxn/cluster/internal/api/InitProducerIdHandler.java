package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.txn.ProducerIdentity;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.resource.ResourceType;

/**
 * InitProducerId (key 22).
 *
 * <p><b>Versions</b>: 0-5. 3 has the producer's own id and epoch, 4 says PRODUCER_FENCED where older ones say
 * INVALID_PRODUCER_EPOCH.
 *
 * <p><b>Behaviour</b>: without a transactional id a new producer id; with one the next epoch, after whatever was left
 * open is aborted: CONCURRENT_TRANSACTIONS until then.
 *
 * <p><b>Left out</b>: two-phase commit (KIP-939): refused as with a broker that has it switched off.
 */
final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequestData> {
    private static final short KNOWS_FENCED = 4;

    private final NodeContext node;
    private final Rights rights;

    InitProducerIdHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.INIT_PRODUCER_ID.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.INIT_PRODUCER_ID);
    }

    @Override
    public void handle(Call<InitProducerIdRequestData> call) {
        ProducerIdentity identity = init(call, call.request());
        boolean renamed = identity.error() == Errors.PRODUCER_FENCED && call.version() < KNOWS_FENCED;
        call.answer(new InitProducerIdResponseData()
                .setErrorCode((renamed ? Errors.INVALID_PRODUCER_EPOCH : identity.error()).code())
                .setProducerId(identity.producerId())
                .setProducerEpoch(identity.epoch()));
    }

    private ProducerIdentity init(Call<?> call, InitProducerIdRequestData request) {
        String id = request.transactionalId();
        Errors refused = id == null ? checkIdempotent(call) : checkTransactional(call, request, id);
        boolean half = (request.producerId() == RecordBatch.NO_PRODUCER_ID)
                != (request.producerEpoch() == RecordBatch.NO_PRODUCER_EPOCH);
        if (refused == Errors.NONE && half) {
            refused = Errors.INVALID_REQUEST;
        }
        if (refused != Errors.NONE) {
            return ProducerIdentity.refused(refused);
        }
        if (id == null) {
            return node.transactions().initIdempotent();
        }
        if (id.isEmpty()) {
            return ProducerIdentity.refused(Errors.INVALID_REQUEST);
        }
        if (request.enable2Pc()) {
            return ProducerIdentity.refused(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        }
        if (request.keepPreparedTxn()) {
            return ProducerIdentity.refused(Errors.UNSUPPORTED_VERSION);
        }
        int timeout = request.transactionTimeoutMs();
        if (timeout <= 0 || timeout > node.settings().number("transaction.max.timeout.ms")) {
            return ProducerIdentity.refused(Errors.INVALID_TRANSACTION_TIMEOUT);
        }
        return node.transactions().init(id, timeout, request.producerId(), request.producerEpoch());
    }

    private Errors checkIdempotent(Call<?> call) {
        boolean allowed = rights.allows(call, AclOperation.IDEMPOTENT_WRITE, ResourceType.CLUSTER, Rights.CLUSTER_NAME)
                || rights.allowsSome(call, AclOperation.WRITE, ResourceType.TOPIC);
        return allowed ? Errors.NONE : Errors.CLUSTER_AUTHORIZATION_FAILED;
    }

    private Errors checkTransactional(Call<?> call, InitProducerIdRequestData request, String id) {
        boolean allowed = rights.allows(call, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id)
                && (!request.enable2Pc()
                        || rights.allows(call, AclOperation.TWO_PHASE_COMMIT, ResourceType.TRANSACTIONAL_ID, id));
        return allowed ? Errors.NONE : Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
    }
}
