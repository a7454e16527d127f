package io.github.kafkatxn.internal.wire;

import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;

/** Asks any broker, once, who coordinates something. */
public final class CoordinatorLookup {
    private CoordinatorLookup() {}

    /**
     * What a broker says now of the coordinator of a transactional id: for messages. Connects anew, and leaves nothing
     * behind.
     *
     * @param config what {@link BrokerConnections#config} has made
     * @param transactionalId whose
     * @param deadline when to give up
     * @return where it is, or the error that the broker answers with
     * @throws RuntimeException why nobody could be asked
     */
    public static String ofTransactionalId(AbstractConfig config, String transactionalId, Deadline deadline) {
        BrokerConnections connections = BrokerConnections.open(config);
        try {
            Coordinator said = ask(connections, CoordinatorType.TRANSACTION, transactionalId, deadline);
            Errors error = Errors.forCode(said.errorCode());
            return error == Errors.NONE ? node(said).toString() : error.name();
        } finally {
            connections.close(deadline);
        }
    }

    static Coordinator ask(BrokerConnections connections, CoordinatorType type, String key, Deadline deadline) {
        FindCoordinatorRequestData question =
                new FindCoordinatorRequestData().setKeyType(type.id()).setCoordinatorKeys(List.of(key));
        FindCoordinatorResponse answer = (FindCoordinatorResponse) connections
                .ask(null, new FindCoordinatorRequest.Builder(question), deadline)
                .responseBody();
        // Before version 4 the only answer has no key.
        return answer.coordinators().get(0);
    }

    static Node node(Coordinator coordinator) {
        return new Node(coordinator.nodeId(), coordinator.host(), coordinator.port());
    }
}
