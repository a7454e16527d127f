package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** What a simulation has asked for, and what may be seen of it in the end. */
final class SimulationLedger {
    private final List<Txn> transactions = new ArrayList<>();

    /** How a transaction has ended, as far as its producer knows. */
    enum Outcome {
        OPEN,
        COMMITTED,
        ABORTED,
        /** A commit was asked for, and no answer came. */
        IN_DOUBT
    }

    /** One transaction: the values it has written, and the offset it has sent for its producer's input. */
    static final class Txn {
        private final TopicPartition input;
        private final Map<TopicPartition, List<String>> values = new HashMap<>();
        private long offset = -1;
        private Outcome outcome = Outcome.OPEN;

        private Txn(TopicPartition input) {
            this.input = input;
        }

        void wrote(TopicPartition partition, String value) {
            values.computeIfAbsent(partition, p -> new ArrayList<>()).add(value);
        }

        void sentOffset(long next) {
            offset = next;
        }

        void end(Outcome how) {
            outcome = how;
        }

        Outcome outcome() {
            return outcome;
        }

        private boolean isVisible(Map<TopicPartition, List<String>> read) {
            return values.entrySet().stream()
                    .anyMatch(entry -> read.getOrDefault(entry.getKey(), List.of()).stream()
                            .anyMatch(entry.getValue()::contains));
        }
    }

    Txn begin(TopicPartition input) {
        Txn transaction = new Txn(input);
        transactions.add(transaction);
        return transaction;
    }

    long count(Outcome outcome) {
        return transactions.stream().filter(txn -> txn.outcome == outcome).count();
    }

    /** A record has been seen that nobody may see unless its transaction was committed, or may have been. */
    void requireCommitted(TopicPartition partition, String value) {
        assertThat(transactions)
                .as("a committed transaction that has written %s to %s", value, partition)
                .anyMatch(txn -> (txn.outcome == Outcome.COMMITTED || txn.outcome == Outcome.IN_DOUBT)
                        && txn.values.getOrDefault(partition, List.of()).contains(value));
    }

    /**
     * Every transaction is over: those that were committed are there once and whole, in the order in which each
     * producer has written them, and nothing of the others.
     */
    void check(Map<TopicPartition, List<String>> read, Map<TopicPartition, Long> offsets) {
        Map<TopicPartition, Set<String>> expected = new HashMap<>();
        Map<TopicPartition, Long> expectedOffsets = new HashMap<>();
        for (Txn txn : transactions) {
            boolean committed = txn.outcome == Outcome.COMMITTED
                    || (txn.outcome == Outcome.IN_DOUBT
                            && (txn.values.isEmpty()
                                    ? offsets.getOrDefault(txn.input, -1L) >= txn.offset
                                    : txn.isVisible(read)));
            if (committed) {
                txn.values.forEach((partition, values) -> expected.computeIfAbsent(partition, p -> new HashSet<>())
                        .addAll(values));
                if (txn.offset >= 0) {
                    expectedOffsets.put(txn.input, txn.offset);
                }
            }
        }
        read.forEach((partition, values) -> assertThat(values)
                .as("committed records of " + partition)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(expected.getOrDefault(partition, Set.of())));
        assertThat(read.keySet()).containsAll(expected.keySet());
        assertThat(offsets).as("committed offsets").isEqualTo(expectedOffsets);
    }
}
