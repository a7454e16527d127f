package io.github.kafkatxn.internal.wire;

import io.github.kafkatxn.internal.wire.TopicIds.Found;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * One call: offsets become part of a transaction, in as many requests as it takes. What has been accepted is not sent
 * again; what was refused with something that passes is, with ids that are looked up anew, until the deadline.
 *
 * <p>A request by name is accepted for whatever topic has that name by then. So the coordinator that has accepted one
 * is asked for the ids before the call succeeds: its knowledge only grows, and if it still tells the id from before,
 * the topic was that one when the offsets were accepted.
 */
final class OffsetsCall {
    /** Longer ones cannot be encoded; a broker has a limit of its own, far below. */
    private static final int MAX_METADATA_BYTES = Short.MAX_VALUE;

    private final BrokerConnections connections;
    private final GroupCoordinators coordinators;
    private final TopicIds topics;
    private final TransactionalIdentity producer;
    private final ConsumerGroupMetadata group;
    private final Map<TopicPartition, OffsetAndMetadata> pending;

    /** What the topics are, from the beginning of this call to its end, whatever is forgotten in between. */
    private final Map<String, Uuid> ids;

    /** What was accepted by name, of topics that have an id, and not compared with it yet. */
    private final Set<TopicPartition> named = new HashSet<>();

    private final Deadline deadline;
    private Map<TopicPartition, ApiException> failures = Map.of();
    private Set<String> doubtful = new HashSet<>();
    private OffsetsRoute route = OffsetsRoute.TOPIC_IDS;

    OffsetsCall(
            BrokerConnections connections,
            GroupCoordinators coordinators,
            TopicIds topics,
            TransactionalIdentity producer,
            ConsumerGroupMetadata group,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            Map<String, Uuid> topicIds,
            Deadline deadline) {
        this.connections = connections;
        this.coordinators = coordinators;
        this.topics = topics;
        this.producer = producer;
        this.group = group;
        this.pending = new HashMap<>(offsets);
        this.ids = new HashMap<>(topicIds);
        this.deadline = deadline;
    }

    /**
     * Makes the call.
     *
     * @param repeats how
     * @param onRetry told why a request is sent again
     * @return how the offsets went out
     */
    OffsetsRoute run(Repeats repeats, Consumer<RuntimeException> onRetry) {
        refuseWhatCannotBeEncoded();
        repeats.until(this::attempt, this::late, onRetry, deadline);
        return route;
    }

    /** {@return what has kept offsets from being accepted, if that passes; null once all are} */
    private @Nullable RetriableException attempt() {
        try {
            RetriableException refused = pending.isEmpty() ? null : sendPending();
            return refused == null ? compareIds() : refused;
        } catch (RetriableException e) {
            coordinators.forget(group.groupId());
            return e;
        }
    }

    private @Nullable RetriableException sendPending() {
        topics.know(ids);
        Found found = topics.find(names(pending.keySet()), doubtful, deadline);
        if (!found.failures().isEmpty()) {
            doubtful = Set.copyOf(found.failures().keySet());
            return refused(ofPartitions(found.failures(), pending.keySet()));
        }
        doubtful = Set.of();
        ids.putAll(found.ids());
        return send(coordinators.find(group.groupId(), deadline), found.ids());
    }

    private @Nullable RetriableException compareIds() {
        if (named.isEmpty()) {
            return null;
        }
        topics.know(ids);
        Found found = topics.ask(coordinators.find(group.groupId(), deadline), names(named), deadline);
        if (!found.failures().isEmpty()) {
            return refused(ofPartitions(found.failures(), named));
        }
        named.clear();
        return null;
    }

    private @Nullable RetriableException send(Node coordinator, Map<String, Uuid> ids) {
        TxnOffsetCommit request = TxnOffsetCommit.of(producer, group, pending, ids);
        ClientResponse response = connections.ask(coordinator, request, deadline);
        OffsetsRoute taken = route(request, response);
        Map<TopicPartition, ApiException> refused = new HashMap<>();
        request.read(response).forEach((partition, error) -> {
            ApiException failure = Refusals.of(error, partition, group.groupId());
            if (failure == null) {
                accepted(partition, taken, ids);
            } else {
                refused.put(partition, failure);
            }
        });
        return refused.isEmpty() ? null : refused(refused);
    }

    private void accepted(TopicPartition partition, OffsetsRoute taken, Map<String, Uuid> ids) {
        pending.remove(partition);
        if (route == OffsetsRoute.TOPIC_IDS) {
            // What has once been accepted by name stays so, also if the rest goes by id.
            route = taken;
        }
        if (taken != OffsetsRoute.TOPIC_IDS
                && !ids.getOrDefault(partition.topic(), Uuid.ZERO_UUID).equals(Uuid.ZERO_UUID)) {
            named.add(partition);
        }
    }

    private static OffsetsRoute route(TxnOffsetCommit request, ClientResponse response) {
        if (response.requestHeader().apiVersion() >= TxnOffsetCommit.BY_ID) {
            return OffsetsRoute.TOPIC_IDS;
        }
        return request.hasIds() ? OffsetsRoute.OLD_COORDINATOR : OffsetsRoute.TOPIC_WITHOUT_ID;
    }

    private RetriableException refused(Map<TopicPartition, ApiException> refused) {
        failures = refused;
        ApiException decisive = Refusals.decisive(refused);
        if (!Refusals.passes(decisive)) {
            throw new RefusedPartitionsException(decisive, refused);
        }
        Set<String> unknown = new HashSet<>(doubtful);
        refused.forEach((partition, failure) -> {
            if (failure instanceof UnknownTopicIdException) {
                unknown.add(partition.topic());
            } else if (failure instanceof NotCoordinatorException
                    || failure instanceof CoordinatorNotAvailableException
                    || failure instanceof TimeoutException) {
                coordinators.forget(group.groupId());
            }
        });
        doubtful = unknown;
        return (RetriableException) decisive;
    }

    private RefusedPartitionsException late(RetriableException last) {
        Set<TopicPartition> open = new HashSet<>(pending.keySet());
        open.addAll(named);
        return new RefusedPartitionsException(
                new TimeoutException(
                        "offsets of the topics " + names(open) + " were not accepted within "
                                + deadline.limit().toMillis() + " ms",
                        failures.isEmpty() ? last : Refusals.decisive(failures)),
                Refusals.late(open, failures, last, deadline));
    }

    private void refuseWhatCannotBeEncoded() {
        Map<TopicPartition, ApiException> tooLarge = new HashMap<>();
        pending.forEach((partition, offset) -> {
            int bytes = Utils.utf8Length(offset.metadata());
            if (bytes > MAX_METADATA_BYTES) {
                tooLarge.put(
                        partition,
                        new OffsetMetadataTooLarge("the metadata of the offset of " + partition + " has " + bytes
                                + " bytes; more than " + MAX_METADATA_BYTES + " cannot be sent"));
            }
        });
        if (!tooLarge.isEmpty()) {
            throw new RefusedPartitionsException(Refusals.decisive(tooLarge), tooLarge);
        }
    }

    private static Map<TopicPartition, ApiException> ofPartitions(
            Map<String, ApiException> ofTopics, Set<TopicPartition> partitions) {
        Map<TopicPartition, ApiException> ofPartitions = new HashMap<>();
        partitions.forEach(partition -> {
            ApiException failure = ofTopics.get(partition.topic());
            if (failure != null) {
                ofPartitions.put(partition, failure);
            }
        });
        return ofPartitions;
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        Set<String> names = new TreeSet<>();
        partitions.forEach(partition -> names.add(partition.topic()));
        return names;
    }
}
