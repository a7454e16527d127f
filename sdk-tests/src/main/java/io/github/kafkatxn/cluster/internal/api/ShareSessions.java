package io.github.kafkatxn.cluster.internal.api;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The share sessions of a node, one for each member that fetches here. A session ends with the connection that has
 * opened it, and what the member holds is given back then.
 */
final class ShareSessions {
    static final int INITIAL = 0;
    static final int FINAL = -1;

    private final Map<Key, Session> sessions = new HashMap<>();
    private final NodeContext node;

    private record Key(String group, String memberId) {}

    /** A partition, by the id of its topic. */
    record Part(Uuid topicId, int partition) {}

    /** A session. */
    private static final class Session {
        private final Set<Part> parts = new LinkedHashSet<>();
        private int epoch = 1;
    }

    /**
     * What a request may do.
     *
     * @param error NONE, or why nothing
     * @param parts the partitions of the session
     * @param added those of them that the session did not have before
     */
    record Scope(Errors error, List<Part> parts, Set<Part> added) {
        private static Scope refused(Errors error) {
            return new Scope(error, List.of(), Set.of());
        }
    }

    ShareSessions(NodeContext node) {
        this.node = node;
    }

    /**
     * A request that fetches.
     *
     * @param asked the partitions it names
     * @param forgotten those it does not want any more
     */
    Scope fetch(Call<?> call, Member member, Collection<Part> asked, Collection<Part> forgotten) {
        Key key = new Key(member.group(), member.id());
        if (member.epoch() == INITIAL) {
            if (!sessions.containsKey(key)
                    && sessions.size() >= node.settings().number("group.share.max.share.sessions")) {
                return Scope.refused(Errors.SHARE_SESSION_LIMIT_REACHED);
            }
            Session opened = new Session();
            opened.parts.addAll(asked);
            sessions.put(key, opened);
            call.connection().onClose(() -> disconnected(key, opened));
            return new Scope(Errors.NONE, List.copyOf(opened.parts), Set.copyOf(opened.parts));
        }
        Session session = sessions.get(key);
        Errors error = advance(session, member.epoch());
        if (session == null || error != Errors.NONE) {
            return Scope.refused(error);
        }
        Set<Part> added = new HashSet<>(asked);
        added.removeAll(session.parts);
        if (member.epoch() != FINAL) {
            session.parts.addAll(asked);
            session.parts.removeAll(forgotten);
        }
        return new Scope(Errors.NONE, List.copyOf(session.parts), added);
    }

    /** A request that only acknowledges. */
    Errors acknowledge(Member member) {
        if (member.epoch() == INITIAL) {
            return Errors.INVALID_SHARE_SESSION_EPOCH;
        }
        return advance(sessions.get(new Key(member.group(), member.id())), member.epoch());
    }

    /** The member goes: what it holds is given back. */
    void end(Member member) {
        Key key = new Key(member.group(), member.id());
        Session session = sessions.get(key);
        if (session != null) {
            end(key, session);
        }
    }

    /**
     * Who asks.
     *
     * @param group the group
     * @param id the member
     * @param epoch of the session
     */
    record Member(String group, String id, int epoch) {}

    private static Errors advance(@Nullable Session session, int epoch) {
        if (session == null) {
            return Errors.SHARE_SESSION_NOT_FOUND;
        }
        if (epoch == FINAL) {
            return Errors.NONE;
        }
        if (epoch != session.epoch) {
            return Errors.INVALID_SHARE_SESSION_EPOCH;
        }
        session.epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        return Errors.NONE;
    }

    private void end(Key key, Session session) {
        if (sessions.remove(key, session)) {
            node.share().partitions().release(key.group(), key.memberId());
        }
    }

    /** Share partitions are forgotten with the last connection, not with the last session: a member may come back. */
    private void disconnected(Key key, Session session) {
        end(key, session);
        if (sessions.keySet().stream().noneMatch(other -> other.group().equals(key.group()))) {
            node.share().partitions().forget(key.group());
        }
    }
}
