package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.LoggedRequest;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** A request in the log. */
final class Entry implements LoggedRequest {
    private final Requests log;
    private final long number;
    private final int size;
    private final Seen seen;
    private volatile @Nullable ApiMessage answer;
    private volatile @Nullable Rule fault;

    Entry(Requests log, long number, int size, Seen seen) {
        this.log = log;
        this.number = number;
        this.size = size;
        this.seen = seen;
    }

    Seen seen() {
        return seen;
    }

    int size() {
        return size;
    }

    void touchedBy(Rule rule) {
        fault = rule;
    }

    void answered(ApiMessage message) {
        answer = message;
        log.changed();
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public int node() {
        return seen.node();
    }

    @Override
    public short apiKey() {
        return seen.request().format().key();
    }

    @Override
    public String api() {
        return seen.request().format().name();
    }

    @Override
    public short version() {
        return seen.request().version();
    }

    @Override
    public String clientId() {
        return seen.request().clientId();
    }

    @Override
    public Optional<Integer> sender() {
        return seen.sender().isPresent() ? Optional.of(seen.sender().getAsInt()) : Optional.empty();
    }

    @Override
    public ApiMessage request() {
        return seen.request().body();
    }

    @Override
    public Optional<ApiMessage> answer() {
        return Optional.ofNullable(answer);
    }

    @Override
    public Optional<String> fault() {
        return Optional.ofNullable(fault).map(Rule::description);
    }

    @Override
    public String toString() {
        String from = sender().map(node -> "node " + node).orElse("client \"" + clientId() + "\"");
        String met = fault().map(rule -> ", met by [" + rule + "]").orElse("");
        return "#" + number + " " + from + " -> node " + node() + ": " + api() + " v" + version() + " " + request()
                + " -> " + answer().map(Object::toString).orElse("no answer") + met;
    }
}
