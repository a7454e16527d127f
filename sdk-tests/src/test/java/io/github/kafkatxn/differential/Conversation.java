package io.github.kafkatxn.differential;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** One scenario with one cluster, on connections of its own. Not thread-safe. */
final class Conversation implements AutoCloseable {
    private static final Duration BETWEEN_TWO = Duration.ofMillis(2);
    /** What a broker answers only because the transaction before is not complete yet. */
    private static final Set<String> NOT_YET = Set.of("CONCURRENT_TRANSACTIONS", "NOT_ENOUGH_REPLICAS");

    private final Access access;
    private final Names names;
    private final Duration patience;
    private final Map<Line, Wire> wires = new HashMap<>();

    private record Line(int connection, String user) {}

    /** @param patience how long an answer is waited for that changes with time */
    Conversation(Access access, Names names, Duration patience) {
        this.patience = patience;
        this.access = access;
        this.names = names;
    }

    /**
     * {@code waits}: for the end of the transaction before. {@code settled}: for a state in which no markers are being
     * written. {@code until=WORD}: for an answer with this word; {@code until=!WORD}: without it.
     */
    String answer(Step step) throws IOException {
        if (step.has("waits")) {
            return answer(step, answer -> !NOT_YET.contains(answer));
        }
        if (step.has("settled")) {
            return answer(step, answer -> !answer.startsWith("NONE Prepare"));
        }
        String until = step.text("until", "");
        if (until.startsWith("!")) {
            return answer(step, answer -> !List.of(answer.split(" ")).contains(until.substring(1)));
        }
        return until.isEmpty()
                ? ask(step)
                : answer(step, answer -> List.of(answer.split(" ")).contains(until));
    }

    private String answer(Step step, Predicate<String> good) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        String answer = ask(step);
        while (!good.test(answer)) {
            if (System.nanoTime() > end) {
                return "STILL " + answer;
            }
            LockSupport.parkNanos(BETWEEN_TWO.toNanos());
            answer = ask(step);
        }
        return answer;
    }

    /** {@code c2}: on the second connection; without it, on the first. {@code as=owner}: as this user. */
    private String ask(Step step) throws IOException {
        Line line = new Line(step.number("c", 1), step.text("as", Access.GUEST));
        Wire wire = wires.get(line);
        if (wire == null) {
            wire = access.connect(line.user());
            wires.put(line, wire);
        }
        try {
            return step.verb().asker().ask(step, names, wire);
        } catch (EOFException | SocketException e) {
            wire.close();
            wires.remove(line);
            return "CONNECTION_CLOSED";
        }
    }

    @Override
    public void close() throws IOException {
        for (Wire wire : wires.values()) {
            wire.close();
        }
    }
}
