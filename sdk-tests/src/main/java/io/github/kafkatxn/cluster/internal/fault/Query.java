package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.fault.RequestQuery;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A question to the log. */
final class Query extends Selecting<RequestQuery> implements RequestQuery {
    private final Requests log;
    private boolean answered;

    Query(Requests log, Optional<MessageFormat> format, int nodes) {
        super(format, nodes);
        this.log = log;
    }

    @Override
    RequestQuery self() {
        return this;
    }

    @Override
    public RequestQuery answered() {
        answered = true;
        return this;
    }

    @Override
    public List<LoggedRequest> list() {
        Criteria criteria = criteria();
        return log.select(entry ->
                criteria.matches(entry.seen()) && (!answered || entry.answer().isPresent()));
    }

    @Override
    public int count() {
        return list().size();
    }

    @Override
    public LoggedRequest await() {
        return await(1).get(0);
    }

    @Override
    public List<LoggedRequest> await(int count) {
        Waiting.on(log, () -> count() >= count, () -> describe(count));
        return list();
    }

    private String describe(int count) {
        String there = list().stream().map(Object::toString).collect(Collectors.joining("\n  ", "\n  ", ""));
        return count + " requests (" + criteria() + (answered ? ", answered" : "") + "); there are:" + there;
    }
}
