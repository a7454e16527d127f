package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.jspecify.annotations.Nullable;

/**
 * The ids of topics, asked for when they are first needed or when a broker does not know them any more, and forgotten
 * when they have not been needed for {@code metadata.max.idle.ms}. For one thread at a time.
 *
 * <p>A topic that has another id than the one before has been deleted and created again: offsets of records that were
 * read from the old one must not be committed for the new one.
 */
final class TopicIds {
    /** What the cluster says of topics: the ids of some, and what keeps it from saying those of others. */
    record Found(Map<String, Uuid> ids, Map<String, ApiException> failures) {}

    private final BrokerConnections connections;
    private final IdleCache<String, Uuid> known;

    TopicIds(BrokerConnections connections, Duration maxIdle) {
        this.connections = connections;
        this.known = new IdleCache<>(maxIdle);
    }

    /**
     * Whoever sends offsets knows which topics they are of.
     *
     * @param ids of topics by their names; zero says nothing, as everywhere in the protocol
     */
    void know(Map<String, Uuid> ids) {
        ids.forEach((topic, id) -> {
            if (!id.equals(Uuid.ZERO_UUID)) {
                known.learn(topic, id);
            }
        });
    }

    /**
     * Looks up, and asks for what is not known or in doubt; that is one question to one broker.
     *
     * @param topics their names
     * @param doubtful those of them that a broker does not know by their ids
     * @param deadline when to give up
     * @return of each topic the id, {@link Uuid#ZERO_UUID} if the cluster has none for it, or why it has not been said.
     *     A topic that was {@link Recreated} counts as known from here on
     */
    Found find(Set<String> topics, Set<String> doubtful, Deadline deadline) {
        Found found = new Found(new HashMap<>(), new HashMap<>());
        List<String> toAsk = new ArrayList<>();
        for (String topic : topics) {
            Uuid id = known.use(topic);
            if (id == null || doubtful.contains(topic)) {
                toAsk.add(topic);
            } else {
                found.ids().put(topic, id);
            }
        }
        if (!toAsk.isEmpty()) {
            ask(null, toAsk, found, deadline);
        }
        return found;
    }

    /**
     * Asks for all of them, known or not.
     *
     * @param node whom to ask
     * @param topics their names
     * @param deadline when to give up
     * @return as {@link #find}
     */
    Found ask(Node node, Set<String> topics, Deadline deadline) {
        Found found = new Found(new HashMap<>(), new HashMap<>());
        ask(node, List.copyOf(topics), found, deadline);
        return found;
    }

    private void ask(@Nullable Node node, List<String> topics, Found found, Deadline deadline) {
        // A topic that has gone is not to be made by asking for it.
        MetadataResponse answer = (MetadataResponse) connections
                .ask(node, new MetadataRequest.Builder(topics, false), deadline)
                .responseBody();
        for (String topic : topics) {
            MetadataResponseTopic said = answer.data().topics().find(topic);
            Errors error = said == null ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.forCode(said.errorCode());
            // A topic that is there may have an error of its partitions.
            if (said == null || (error != Errors.NONE && said.topicId().equals(Uuid.ZERO_UUID))) {
                found.failures().put(topic, Refusals.of(error, topic));
            } else {
                learn(topic, said.topicId(), found);
            }
        }
    }

    private void learn(String topic, Uuid id, Found found) {
        Uuid before = Objects.requireNonNullElse(known.use(topic), Uuid.ZERO_UUID);
        boolean hadId = !before.equals(Uuid.ZERO_UUID);
        if (hadId && id.equals(Uuid.ZERO_UUID)) {
            // By name it would be accepted for whatever topic has that name by then.
            found.failures().put(topic, Refusals.of(Errors.UNKNOWN_TOPIC_ID, topic));
            return;
        }
        known.learn(topic, id);
        if (hadId && !id.equals(before)) {
            found.failures().put(topic, new Recreated(topic, before, id));
        } else {
            found.ids().put(topic, id);
        }
    }

    /** A topic has been deleted and created again. */
    static final class Recreated extends UnknownTopicIdException {
        private static final long serialVersionUID = 1L;

        Recreated(String topic, Uuid before, Uuid now) {
            super("topic recreated: " + topic + " was deleted and created again (id " + before + " before, " + now
                    + " now). Offsets of the old topic mean nothing in the new one: do not rewind to them, read the"
                    + " new topic from its start.");
        }
    }
}
