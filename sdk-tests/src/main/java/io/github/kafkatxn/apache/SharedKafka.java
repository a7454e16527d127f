package io.github.kafkatxn.apache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The clusters that the tests of this JVM share, one for each transaction version. */
final class SharedKafka {
    private static final ConcurrentMap<Integer, ApacheKafka> SHARED = new ConcurrentHashMap<>();

    private SharedKafka() {}

    /** Callers that come while it starts wait for the same one. */
    static ApacheKafka get(int transactionVersion) {
        return SHARED.compute(transactionVersion, SharedKafka::openOrStart);
    }

    private static ApacheKafka openOrStart(int transactionVersion, @Nullable ApacheKafka before) {
        return before != null && before.isOpen()
                ? before
                : ApacheKafka.builder()
                        .transactionVersion(transactionVersion)
                        .quickStart()
                        .relayed()
                        .fencedLate()
                        .start();
    }
}
