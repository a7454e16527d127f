package io.github.kafkatxn.differential;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** One scenario with one cluster, on a connection of its own. Not thread-safe. */
final class Conversation implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** What a broker answers only because the transaction before is not complete yet. */
    private static final Set<String> NOT_YET = Set.of("CONCURRENT_TRANSACTIONS", "NOT_ENOUGH_REPLICAS");

    private final String bootstrapServers;
    private final Names names;
    private Wire wire;

    Conversation(String bootstrapServers, Names names) throws IOException {
        this.bootstrapServers = bootstrapServers;
        this.names = names;
        this.wire = new Wire(bootstrapServers);
    }

    /** {@code waits}: for the end of the transaction before. {@code until=WORD}: for an answer with this word. */
    String answer(Step step) throws IOException {
        if (step.has("waits")) {
            return answer(step, answer -> !NOT_YET.contains(answer));
        }
        return step.value("until").isEmpty()
                ? ask(step)
                : answer(step, answer -> List.of(answer.split(" ")).contains(step.text("until", "")));
    }

    private String answer(Step step, Predicate<String> good) {
        return Awaitility.await(step.place() + " " + step.text())
                .atMost(PATIENCE)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> ask(step), good::test);
    }

    private String ask(Step step) throws IOException {
        try {
            return step.verb().asker().ask(step, names, wire);
        } catch (EOFException | SocketException e) {
            wire.close();
            wire = new Wire(bootstrapServers);
            return "CONNECTION_CLOSED";
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
