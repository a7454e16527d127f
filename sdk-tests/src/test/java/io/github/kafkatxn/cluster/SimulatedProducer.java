package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.SimulationLedger.Outcome;
import io.github.kafkatxn.cluster.SimulationLedger.Txn;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer that does one request a step, and knows what may have become of a request without an answer.
 * It never sends the next record of a partition before the last one is answered.
 */
final class SimulatedProducer {
    private static final int TIMEOUT_MS = 10_000;

    /** What a coordinator or a leader says to a producer that has been replaced or whose transaction has been ended. */
    private static final Set<Errors> OVER = EnumSet.of(
            Errors.PRODUCER_FENCED,
            Errors.INVALID_PRODUCER_EPOCH,
            Errors.INVALID_TXN_STATE,
            Errors.TRANSACTION_ABORTABLE,
            Errors.INVALID_PRODUCER_ID_MAPPING);

    private final String id;
    private final SimulationNetwork network;
    private final SimulationLedger ledger;
    private final TopicPartition input;
    private final boolean version2;
    private final Map<TopicPartition, Integer> sequences = new HashMap<>();
    private @Nullable Identity identity;
    private @Nullable Identity lastKnown;
    private @Nullable Txn txn;
    private @Nullable Unanswered unanswered;
    private boolean offsetUnanswered;
    private long nextOffset = 1;
    private int values;
    private Errors last = Errors.NONE;

    /** A record that has been sent, perhaps. */
    private record Unanswered(TopicPartition partition, String value) {}

    SimulatedProducer(String id, SimulationNetwork network, SimulationLedger ledger, TopicPartition input) {
        this.id = id;
        this.network = network;
        this.ledger = ledger;
        this.input = input;
        this.version2 = network.transactionVersion() == 2;
    }

    String id() {
        return id;
    }

    boolean isReady() {
        return identity != null;
    }

    boolean isOpen() {
        return txn != null;
    }

    boolean isInDoubt() {
        return txn != null && txn.outcome() == Outcome.IN_DOUBT;
    }

    /** It forgets everything, as a process does that is started again. */
    void crash() {
        over(Outcome.ABORTED);
    }

    /** Takes the id over. */
    void initialise() {
        Identity answer = answer(
                () -> network.coordinator(id).ask(node -> node.init(5, id, TIMEOUT_MS, -1, -1)),
                Identity.of(Errors.NETWORK_EXCEPTION, -1, -1));
        last = answer.error();
        if (answer.error() != Errors.NONE) {
            require(answer.error(), answer.error().exception() instanceof RetriableException, "InitProducerId");
            return;
        }
        Identity before = lastKnown;
        if (before != null && before.producerId() == answer.producerId() && before.epoch() >= answer.epoch()) {
            throw new AssertionError("the epoch of " + id + " has gone back from " + before + " to " + answer);
        }
        identity = answer;
        lastKnown = answer;
        sequences.clear();
    }

    void send(TopicPartition partition) {
        if (unanswered == null) {
            unanswered = new Unanswered(partition, id + "-" + values++);
        }
        resend();
    }

    /** {@return whether nothing is without an answer now} */
    private boolean resend() {
        return resendRecord() && (!offsetUnanswered || resendOffset());
    }

    private boolean resendRecord() {
        Unanswered record = unanswered;
        if (record == null) {
            return true;
        }
        Identity producer = ready();
        Txn transaction = open();
        if (!version2
                && !added(() -> network.coordinator(id)
                        .ask(node -> node.add(
                                3,
                                id,
                                producer,
                                record.partition().topic(),
                                record.partition().partition()))
                        .get(0))) {
            return false;
        }
        int sequence = sequences.getOrDefault(record.partition(), 0);
        Errors error = answer(
                () -> network.leader(record.partition())
                        .ask(node -> node.produce(
                                version2 ? 12 : 11, id, producer, record.partition(), sequence, record.value())),
                Errors.NETWORK_EXCEPTION);
        if (error == Errors.NONE) {
            transaction.wrote(record.partition(), record.value());
            sequences.put(record.partition(), sequence + 1);
            unanswered = null;
            return true;
        }
        overUnlessRetriable(error, "Produce");
        return false;
    }

    void sendOffset() {
        offsetUnanswered = true;
        resend();
    }

    private boolean resendOffset() {
        Identity producer = ready();
        Txn transaction = open();
        if (!version2
                && !added(() ->
                        network.coordinator(id).ask(node -> node.addOffsets(id, producer, SimulationNetwork.GROUP)))) {
            return false;
        }
        Errors error = answer(
                () -> network.groupCoordinator()
                        .ask(node -> node.commitOffset(
                                version2 ? 5 : 3, id, producer, SimulationNetwork.GROUP, input, nextOffset)),
                Errors.NETWORK_EXCEPTION);
        if (error == Errors.NONE) {
            transaction.sentOffset(nextOffset++);
            offsetUnanswered = false;
            return true;
        }
        overUnlessRetriable(error, "TxnOffsetCommit");
        return false;
    }

    void end(boolean commit) {
        Txn transaction = txn;
        if (transaction == null || (commit && transaction.outcome() == Outcome.OPEN && !resend()) || txn == null) {
            return;
        }
        boolean commits = commit || transaction.outcome() == Outcome.IN_DOUBT;
        Identity producer = ready();
        Identity answer = answer(
                () -> network.coordinator(id).ask(node -> node.end(version2 ? 5 : 4, id, producer, commits)),
                Identity.of(Errors.NETWORK_EXCEPTION, -1, -1));
        if (answer.error() == Errors.NONE) {
            transaction.end(commits ? Outcome.COMMITTED : Outcome.ABORTED);
            boolean mayComeLater = unanswered != null || offsetUnanswered;
            over(Outcome.ABORTED);
            if (version2) {
                identity = answer;
                lastKnown = answer;
                sequences.clear();
            } else if (!mayComeLater) {
                identity = producer;
            }
        } else if (answer.error() == Errors.NETWORK_EXCEPTION) {
            if (commits) {
                transaction.end(Outcome.IN_DOUBT);
            } else {
                crash();
            }
        } else {
            overUnlessRetriable(answer.error(), "EndTxn");
        }
    }

    private boolean added(Supplier<Errors> add) {
        Errors error = answer(add, Errors.NETWORK_EXCEPTION);
        if (error != Errors.NONE) {
            overUnlessRetriable(error, "AddPartitionsToTxn or AddOffsetsToTxn");
        }
        return error == Errors.NONE;
    }

    private void overUnlessRetriable(Errors error, String request) {
        boolean over = OVER.contains(error);
        require(error, over || error.exception() instanceof RetriableException, request);
        if (over) {
            over(Outcome.ABORTED);
        }
    }

    /** A commit that was in doubt stays in doubt. What still may come later is fenced by the next initialisation. */
    private void over(Outcome outcome) {
        if (txn != null && txn.outcome() == Outcome.OPEN) {
            txn.end(outcome);
        }
        txn = null;
        unanswered = null;
        offsetUnanswered = false;
        identity = null;
    }

    private Identity ready() {
        if (identity == null) {
            throw new IllegalStateException(id + " is not initialised");
        }
        return identity;
    }

    private Txn open() {
        if (txn == null) {
            txn = ledger.begin(input);
        }
        return txn;
    }

    private void require(Errors error, boolean expected, String request) {
        if (!expected) {
            throw new AssertionError(request + " of " + id + " was answered with " + error);
        }
    }

    @Override
    public String toString() {
        return id + " (last initialised as " + lastKnown + ", last answer " + last + ")";
    }

    private static <A> A answer(Supplier<A> request, A lost) {
        try {
            return request.get();
        } catch (UncheckedIOException e) {
            return lost;
        }
    }
}
