package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.txn.TransactionMetadata;
import io.github.kafkatxn.cluster.internal.txn.TransactionState;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * ListTransactions (key 66).
 *
 * <p><b>Versions</b>: 0-2. 1 has a filter by duration, 2 one by a pattern of the id.
 *
 * <p><b>Behaviour</b>: the ids that this node coordinates, by producer id, state, duration and pattern; ids that the
 * caller may not DESCRIBE are left out. Names of states that there are none of are given back as such.
 *
 * <p><b>Left out</b>: the dialect of RE2 for patterns; Java's is used.
 */
final class ListTransactionsHandler implements ApiHandler<ListTransactionsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    ListTransactionsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.LIST_TRANSACTIONS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.LIST_TRANSACTIONS);
    }

    @Override
    public void handle(Call<ListTransactionsRequestData> call) {
        if (node.transactions().isLoading()) {
            call.answer(new ListTransactionsResponseData().setErrorCode(Errors.COORDINATOR_LOAD_IN_PROGRESS.code()));
            return;
        }
        ListTransactionsRequestData request = call.request();
        ListTransactionsResponseData response = new ListTransactionsResponseData();
        response.setUnknownStateFilters(request.stateFilters().stream()
                .filter(name -> TransactionState.named(name).isEmpty())
                .toList());
        String pattern = request.transactionalIdPattern();
        try {
            Pattern ids = Pattern.compile(pattern == null || pattern.isEmpty() ? ".*" : pattern);
            node.transactions().all().stream()
                    .filter(metadata -> isWanted(request, metadata, ids))
                    .filter(metadata -> rights.allows(
                            call, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, metadata.transactionalId()))
                    .forEach(metadata -> response.transactionStates().add(entry(metadata)));
            call.answer(response);
        } catch (PatternSyntaxException e) {
            call.answer(new ListTransactionsResponseData().setErrorCode(Errors.INVALID_REGULAR_EXPRESSION.code()));
        }
    }

    private boolean isWanted(ListTransactionsRequestData request, TransactionMetadata metadata, Pattern ids) {
        List<String> states = request.stateFilters();
        List<Long> producers = request.producerIdFilters();
        long duration = request.durationFilter();
        return (states.isEmpty() || states.contains(metadata.state().title()))
                && (producers.isEmpty() || producers.contains(metadata.producerId()))
                // An id that has had no transaction is older than any.
                && (duration < 0 || node.loop().millis() - metadata.startMs() > duration)
                && ids.matcher(metadata.transactionalId()).matches();
    }

    private static ListTransactionsResponseData.TransactionState entry(TransactionMetadata metadata) {
        return new ListTransactionsResponseData.TransactionState()
                .setTransactionalId(metadata.transactionalId())
                .setProducerId(metadata.producerId())
                .setTransactionState(metadata.state().title());
    }
}
