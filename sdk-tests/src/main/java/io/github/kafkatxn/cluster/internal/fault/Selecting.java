package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.Selection;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Builds criteria, and refuses those that no request of the key can meet.
 *
 * @param <S> what goes on being built
 */
abstract class Selecting<S extends Selection<S>> implements Selection<S> {
    private final int nodes;
    private Criteria criteria;

    Selecting(Optional<MessageFormat> format, int nodes) {
        this.nodes = nodes;
        this.criteria = Criteria.of(format.orElse(null));
    }

    abstract S self();

    final Criteria criteria() {
        return criteria;
    }

    static Optional<MessageFormat> format(int key) {
        return Optional.of(MessageFormat.of((short) key)
                .orElseThrow(() -> new IllegalArgumentException("API key " + key + " is not known")));
    }

    @Override
    public final S version(int version) {
        criteria.format().ifPresent(format -> requireVersion(format, version));
        return and("version " + version, seen -> seen.request().version() == version);
    }

    @Override
    public final S node(int node) {
        if (node < 0 || node >= nodes) {
            throw new IllegalArgumentException("node " + node + ": allowed are 0 to " + (nodes - 1));
        }
        return and("node " + node, seen -> seen.node() == node);
    }

    @Override
    public final S clientId(String clientId) {
        return and("client id " + clientId, seen -> seen.request().clientId().equals(clientId));
    }

    @Override
    public final S transactionalId(String transactionalId) {
        require("transactional id", Named::hasTransactionalId);
        return and(
                "transactional id " + transactionalId,
                seen -> names(seen).transactionalIds(seen.request().body()).contains(transactionalId));
    }

    @Override
    public final S group(String group) {
        require("group", Named::hasGroup);
        return and(
                "group " + group,
                seen -> names(seen).groups(seen.request().body()).contains(group));
    }

    @Override
    public final S topic(String topic) {
        require("topic", Named::hasTopic);
        criteria = criteria.topic(topic);
        return self();
    }

    @Override
    public final S topicId(Uuid topicId) {
        require("topic", Named::hasTopic);
        criteria = criteria.topicId(topicId);
        return self();
    }

    @Override
    public final S partition(int partition) {
        require("partition", Named::hasPartition);
        if (partition < 0) {
            throw new IllegalArgumentException("partition " + partition + ": partitions count from 0");
        }
        criteria = criteria.partition(partition);
        return self();
    }

    @Override
    public final S fromClients() {
        return and("from clients", seen -> seen.sender().isEmpty());
    }

    @Override
    public final S fromNodes() {
        return and("from nodes", seen -> seen.sender().isPresent());
    }

    @Override
    public final <R extends ApiMessage> S where(Class<R> type, Predicate<? super R> test) {
        criteria.format()
                .ifPresent(
                        format -> requireType(format.name(), format.newRequest().get(), type));
        return and(
                "as the test says",
                seen -> type.isInstance(seen.request().body())
                        && test.test(type.cast(seen.request().body())));
    }

    final S and(String description, Predicate<Seen> matches) {
        criteria = criteria.and(description, matches);
        return self();
    }

    static void requireType(String api, ApiMessage message, Class<?> type) {
        if (!type.isInstance(message)) {
            throw new IllegalArgumentException(
                    api + " has a " + message.getClass().getSimpleName() + ", not a " + type.getSimpleName());
        }
    }

    private static Named<?> names(Seen seen) {
        return RequestNames.of(seen.request().format().key());
    }

    private static void requireVersion(MessageFormat format, int version) {
        if (!ApiKeys.hasId(format.key())) {
            return;
        }
        ApiKeys key = ApiKeys.forId(format.key());
        if (version < key.oldestVersion() || version > key.latestVersion(true)) {
            throw new IllegalArgumentException(format.name() + " has no version " + version + ": there are "
                    + key.oldestVersion() + " to " + key.latestVersion(true));
        }
    }

    private void require(String what, Predicate<Named<?>> has) {
        criteria.format()
                .filter(format -> !has.test(RequestNames.of(format.key())))
                .ifPresent(format -> {
                    throw new IllegalArgumentException("a " + format.name() + " request names no " + what
                            + "; it can be selected by " + String.join(", ", possible(format)));
                });
    }

    private static List<String> possible(MessageFormat format) {
        Named<?> names = RequestNames.of(format.key());
        List<String> selectors = new ArrayList<>();
        if (names.hasTransactionalId()) {
            selectors.add("transactionalId");
        }
        if (names.hasGroup()) {
            selectors.add("group");
        }
        if (names.hasTopic()) {
            selectors.add("topic");
            selectors.add("topicId");
        }
        if (names.hasPartition()) {
            selectors.add("partition");
        }
        selectors.addAll(List.of("node", "clientId", "version", "fromClients", "fromNodes", "where"));
        return selectors;
    }
}
