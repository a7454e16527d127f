package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.fault.RequestLog;
import io.github.kafkatxn.cluster.fault.RequestQuery;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.protocol.ApiKeys;

/** The log of requests. Forgets the oldest once there are too many, or too many bytes of them. Thread-safe. */
final class Requests implements RequestLog {
    private static final int MOST = 10_000;
    private static final long MOST_BYTES = 32L * 1024 * 1024;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private final int nodes;
    private final int most;
    private final long mostBytes;
    private long bytes;
    private long numbers;
    private long forgotten;

    Requests(int nodes) {
        this(nodes, MOST, MOST_BYTES);
    }

    Requests(int nodes, int most, long mostBytes) {
        this.nodes = nodes;
        this.most = most;
        this.mostBytes = mostBytes;
    }

    synchronized Entry add(Seen seen, int size) {
        Entry entry = new Entry(this, ++numbers, size, seen);
        entries.add(entry);
        bytes += size;
        while (entries.size() > most || bytes > mostBytes) {
            bytes -= entries.remove().size();
            forgotten++;
        }
        notifyAll();
        return entry;
    }

    synchronized void changed() {
        notifyAll();
    }

    @Override
    public RequestQuery on(ApiKeys key) {
        return on(key.id);
    }

    @Override
    public RequestQuery on(int key) {
        return new Query(this, Selecting.format(key), nodes);
    }

    @Override
    public RequestQuery onAny() {
        return new Query(this, Optional.<MessageFormat>empty(), nodes);
    }

    @Override
    public List<LoggedRequest> list() {
        return select(entry -> true);
    }

    synchronized List<LoggedRequest> select(Predicate<Entry> wanted) {
        return entries.stream()
                .filter(wanted)
                .map(entry -> (LoggedRequest) entry)
                .toList();
    }

    @Override
    public synchronized long forgotten() {
        return forgotten;
    }

    @Override
    public synchronized void clear() {
        entries.clear();
        bytes = 0;
    }
}
