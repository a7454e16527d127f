package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The fetch sessions of a node. When there are too many, one that was not used for long makes room. */
final class FetchSessions {
    private static final int NEW = 0;
    private static final int NONE = -1;
    private static final short FIRST_WITH_TOPIC_IDS = 13;
    private static final long IDLE_MS = 120_000;

    private final Map<Integer, FetchSession> sessions = new HashMap<>();
    private final NodeContext node;
    private int ids;

    /**
     * What one request fetches.
     *
     * @param error why it fetches nothing, else {@link Errors#NONE}
     * @param targets the partitions, in the order in which they are read
     * @param session the session it belongs to, null if to none
     * @param opens whether a session begins with it
     */
    record Scope(
            Errors error,
            List<FetchTarget> targets,
            @Nullable FetchSession session,
            boolean opens) {
        static Scope refused(Errors error) {
            return new Scope(error, List.of(), null, false);
        }
    }

    FetchSessions(NodeContext node) {
        this.node = node;
    }

    /** What a request fetches. */
    Scope enter(FetchRequestData request, short version) {
        boolean usesTopicIds = version >= FIRST_WITH_TOPIC_IDS;
        Collection<FetchTarget> asked = targets(request);
        if (request.sessionEpoch() == NEW || request.sessionEpoch() == NONE) {
            sessions.remove(request.sessionId());
            return new Scope(Errors.NONE, List.copyOf(asked), null, request.sessionEpoch() == NEW);
        }
        FetchSession session = sessions.get(request.sessionId());
        if (session == null) {
            return Scope.refused(Errors.FETCH_SESSION_ID_NOT_FOUND);
        }
        if (session.epoch() != request.sessionEpoch()) {
            return Scope.refused(Errors.INVALID_FETCH_SESSION_EPOCH);
        }
        if (session.usesTopicIds() != usesTopicIds) {
            return Scope.refused(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        session.update(asked, forgotten(request));
        if (session.isEmpty()) {
            sessions.remove(session.id());
            return new Scope(Errors.NONE, List.copyOf(asked), null, false);
        }
        session.use(node.loop().millis());
        session.targets().forEach(target -> target.resolve(nameOf(target.key())));
        return new Scope(Errors.NONE, session.targets(), session, false);
    }

    /** Opens a session if there is room for one. */
    Optional<FetchSession> open(Collection<FetchTarget> targets, short version) {
        long now = node.loop().millis();
        if (sessions.size() >= node.settings().number("max.incremental.fetch.session.cache.slots")) {
            Optional<FetchSession> idle = sessions.values().stream()
                    .filter(session -> now - session.lastUsed() > IDLE_MS)
                    .min(Comparator.comparingLong(FetchSession::lastUsed));
            if (idle.isEmpty()) {
                return Optional.empty();
            }
            sessions.remove(idle.get().id());
        }
        FetchSession session = new FetchSession(nextId(), version >= FIRST_WITH_TOPIC_IDS, now);
        targets.forEach(session::add);
        sessions.put(session.id(), session);
        return Optional.of(session);
    }

    private int nextId() {
        do {
            ids = FetchSession.next(ids);
        } while (sessions.containsKey(ids));
        return ids;
    }

    private Collection<FetchTarget> targets(FetchRequestData request) {
        Map<FetchTarget.Key, FetchTarget> targets = new LinkedHashMap<>();
        for (FetchTopic topic : request.topics()) {
            for (FetchPartition partition : topic.partitions()) {
                FetchTarget.Key key = new FetchTarget.Key(topic.topicId(), topic.topic(), partition.partition());
                targets.put(key, new FetchTarget(key, nameOf(key), partition));
            }
        }
        return targets.values();
    }

    private static List<FetchTarget.Key> forgotten(FetchRequestData request) {
        List<FetchTarget.Key> forgotten = new ArrayList<>();
        for (ForgottenTopic topic : request.forgottenTopicsData()) {
            topic.partitions()
                    .forEach(
                            partition -> forgotten.add(new FetchTarget.Key(topic.topicId(), topic.topic(), partition)));
        }
        return forgotten;
    }

    private @Nullable String nameOf(FetchTarget.Key key) {
        if (!key.topic().isEmpty()) {
            return key.topic();
        }
        ClusterImage image = node.image().get();
        Uuid id = key.topicId();
        return image.topic(id).map(TopicInfo::name).orElse(null);
    }
}
