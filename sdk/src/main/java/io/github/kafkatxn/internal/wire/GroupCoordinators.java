package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;

/** Which broker coordinates a group; asked for once, until it says that it does not. For one thread at a time. */
final class GroupCoordinators {
    private final BrokerConnections connections;
    private final IdleCache<String, Node> known;

    GroupCoordinators(BrokerConnections connections, Duration maxIdle) {
        this.connections = connections;
        this.known = new IdleCache<>(maxIdle);
    }

    /** Somebody else coordinates the group now, or nobody. */
    void forget(String group) {
        known.forget(group);
    }

    /**
     * Looks up, and asks if it is not known.
     *
     * @param group its id
     * @param deadline when to give up
     * @return the coordinator
     * @throws RuntimeException why it is not to be had, retriable if that may pass
     */
    Node find(String group, Deadline deadline) {
        Node coordinator = known.use(group);
        if (coordinator == null) {
            coordinator = ask(group, deadline);
            known.learn(group, coordinator);
        }
        return coordinator;
    }

    private Node ask(String group, Deadline deadline) {
        Coordinator said = CoordinatorLookup.ask(connections, CoordinatorType.GROUP, group, deadline);
        Errors error = Errors.forCode(said.errorCode());
        if (error == Errors.GROUP_AUTHORIZATION_FAILED) {
            throw GroupAuthorizationException.forGroupId(group);
        }
        if (error != Errors.NONE) {
            throw error.exception("coordinator of the group " + group + ": " + error.message());
        }
        return CoordinatorLookup.node(said);
    }
}
