package io.github.kafkatxn.internal.wire;

import io.github.kafkatxn.internal.wire.ShareLeaders.Found;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * One call: acknowledgements of a member become part of a transaction, in as many requests as it takes, to the leaders
 * of the share partitions side by side. What has been accepted is not sent again; what was refused with something that
 * passes is, to leaders that are looked up anew, until the deadline. A repeat is harmless: what the same member has
 * staged in the same transaction in the same way is accepted as before.
 */
final class ShareAcknowledgementsCall {
    /** How often to ask again whether the request before, whose answer was lost, is still in the way of the repeat. */
    private static final int DOUBTS = 3;

    private final LeaderConnections leaderConnections;
    private final ShareLeaders leaders;
    private final TransactionalIdentity producer;
    private final ShareMember member;
    private final Map<TopicIdPartition, List<ShareBatch>> pending;
    private final Runnable beforeFirst;
    private final Deadline deadline;
    private final Map<TopicIdPartition, Integer> doubts = new HashMap<>();
    private Map<TopicPartition, ApiException> failures = Map.of();
    private boolean sent;

    ShareAcknowledgementsCall(
            LeaderConnections leaderConnections,
            ShareLeaders leaders,
            TransactionalIdentity producer,
            ShareMember member,
            Map<TopicIdPartition, List<ShareBatch>> batches,
            Runnable beforeFirst,
            Deadline deadline) {
        this.leaderConnections = leaderConnections;
        this.leaders = leaders;
        this.producer = producer;
        this.member = member;
        this.pending = new HashMap<>(batches);
        this.beforeFirst = beforeFirst;
        this.deadline = deadline;
    }

    /**
     * Makes the call.
     *
     * @param repeats how
     * @param onRetry told why requests are sent again
     */
    void run(Repeats repeats, Consumer<RuntimeException> onRetry) {
        repeats.until(this::attempt, this::late, onRetry, deadline);
    }

    /** {@return what has kept acknowledgements from being accepted, if that passes; null once all are} */
    private @Nullable RetriableException attempt() {
        Found found;
        try {
            found = leaders.find(pending.keySet(), deadline);
        } catch (RetriableException e) {
            return e;
        }
        Map<TopicIdPartition, ApiException> refused = new HashMap<>(found.failures());
        if (refused.isEmpty()) {
            send(found.leaders(), refused);
        }
        if (!refused.isEmpty()) {
            return refused(refused);
        }
        if (!pending.isEmpty()) {
            throw new KafkaException("no leader has said what became of the acknowledgements of " + pending.keySet());
        }
        return null;
    }

    private void send(Map<TopicIdPartition, Node> placed, Map<TopicIdPartition, ApiException> refused) {
        Map<Node, Map<TopicIdPartition, List<ShareBatch>>> byLeader = new HashMap<>();
        placed.forEach((partition, leader) -> byLeader.computeIfAbsent(leader, node -> new HashMap<>())
                .put(partition, pending.getOrDefault(partition, List.of())));
        Map<Node, LeaderConnection> connections = leaderConnections.connect(byLeader.keySet(), deadline);
        refuseWhatIsMissing(connections);
        // Nodes that were told at different times may differ in their rack, and are one broker.
        Map<LeaderConnection, Map<TopicIdPartition, List<ShareBatch>>> byConnection = new HashMap<>();
        connections.forEach((leader, connection) -> byConnection
                .computeIfAbsent(connection, each -> new HashMap<>())
                .putAll(byLeader.getOrDefault(leader, Map.of())));
        Map<LeaderConnection, TxnShareAcknowledge> requests = new HashMap<>();
        byConnection.forEach((connection, batches) -> {
            TxnShareAcknowledge request = new TxnShareAcknowledge(producer, member, batches);
            if (!isLost(connection, request, refused)) {
                requests.put(connection, request);
            }
        });
        if (requests.isEmpty()) {
            return;
        }
        if (!sent) {
            // Before the first request: one that is answered by nobody may have arrived.
            beforeFirst.run();
            sent = true;
        }
        Map<LeaderConnection, Map<TopicIdPartition, Errors>> answers = leaderConnections.ask(requests, deadline);
        requests.forEach((connection, request) -> {
            if (isLost(connection, request, refused)) {
                request.batches().keySet().forEach(partition -> doubts.put(partition, DOUBTS));
            }
        });
        answers.values().forEach(errors -> errors.forEach((partition, error) -> take(partition, error, refused)));
    }

    /** All leaders or none: what is missing must be said before anything is part of the transaction. */
    private void refuseWhatIsMissing(Map<Node, LeaderConnection> connections) {
        Set<String> missing = new TreeSet<>();
        connections.forEach((node, connection) ->
                connection.missing().ifPresent(what -> missing.add("node " + node.idString() + " lacks " + what)));
        if (!missing.isEmpty()) {
            String message = "the cluster cannot take share acknowledgements into a transaction (KIP-1289): "
                    + String.join("; ", missing);
            throw sent ? new UnsupportedVersionException(message) : new MissingCapabilityException(message);
        }
    }

    private static boolean isLost(
            LeaderConnection connection, TxnShareAcknowledge request, Map<TopicIdPartition, ApiException> refused) {
        RuntimeException failure = connection.failure().orElse(null);
        if (failure == null) {
            return false;
        }
        if (!(failure instanceof ApiException why)) {
            throw failure;
        }
        request.batches().keySet().forEach(partition -> refused.put(partition, why));
        return true;
    }

    private void take(TopicIdPartition partition, Errors error, Map<TopicIdPartition, ApiException> refused) {
        // A leader that has never handed them out says that there is no such offset.
        Errors meant = error == Errors.INVALID_REQUEST ? Errors.INVALID_RECORD_STATE : error;
        ApiException failure = Refusals.of(meant, partition.topicPartition(), member.groupId());
        if (failure == null) {
            pending.remove(partition);
        } else if (failure instanceof InvalidRecordStateException && doubts.getOrDefault(partition, 0) > 0) {
            doubts.merge(partition, -1, Integer::sum);
            refused.put(
                    partition,
                    new CoordinatorNotAvailableException(
                            "the answer to the request before was lost, which may still be in the way: "
                                    + failure.getMessage()));
        } else {
            refused.put(partition, failure);
        }
    }

    private RetriableException refused(Map<TopicIdPartition, ApiException> refused) {
        failures = new HashMap<>();
        refused.forEach((partition, failure) -> failures.put(partition.topicPartition(), failure));
        ApiException decisive = Refusals.decisive(failures);
        if (!Refusals.passes(decisive)) {
            throw new RefusedPartitionsException(decisive, failures);
        }
        refused.forEach((partition, failure) -> {
            if (!isOfACoordinator(failure)) {
                leaders.forget(partition);
            }
        });
        return (RetriableException) decisive;
    }

    /** Says nothing about the leader. */
    private static boolean isOfACoordinator(ApiException failure) {
        return failure instanceof ConcurrentTransactionsException
                || failure instanceof CoordinatorLoadInProgressException
                || failure instanceof CoordinatorNotAvailableException;
    }

    private RuntimeException late(RetriableException last) {
        Set<TopicPartition> open = new HashSet<>();
        Set<String> names = new TreeSet<>();
        pending.keySet().forEach(partition -> {
            open.add(partition.topicPartition());
            names.add(partition.topicPartition().toString());
        });
        return new RefusedPartitionsException(
                new TimeoutException(
                        "acknowledgements of " + names + " in the group " + member.groupId()
                                + " were not accepted within "
                                + deadline.limit().toMillis() + " ms",
                        last),
                Refusals.late(open, failures, last, deadline));
    }
}
