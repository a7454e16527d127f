package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.Calls.settled;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.contract.KafkaTarget.BrokerControl;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What the contract tests of the producer share: producers that are closed after each test, names of their own, and
 * answers of results.
 *
 * <p>Tests run one after the other: some make the brokers stand still. Nothing may hang: every test ends within a
 * minute or fails. After each test no thread of its producers may be left.
 */
@Isolated("some tests make the brokers stand still")
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class ProducerContract extends KafkaContract {
    private static final String IO_THREAD = "kafka-producer-network-thread | ";
    private static final String GUARD_THREAD = "kafka-txn-call-guard";

    private final List<TransactionalProducer<?, ?>> producers = new CopyOnWriteArrayList<>();

    /** For subclasses. */
    protected ProducerContract() {}

    @AfterEach
    void closeProducers() {
        producers.forEach(TransactionalProducer::close);
        eventually("the end of threads of closed producers")
                .untilAsserted(() -> assertThat(threads()).noneMatch(this::isOurs));
        producers.clear();
    }

    /** A new topic of one partition. */
    String topic(String hint) {
        return probe().createTopic(unique(hint), 1);
    }

    /** {@return settings with a transactional id of their own that give up soon} */
    ProducerSettings.Builder settings() {
        return ProducerSettings.builder()
                .properties(target().clientConfig())
                .transactionalId(unique("id"))
                .transactionTimeout(Duration.ofSeconds(10))
                .callTimeout(Duration.ofSeconds(4))
                .closeTimeout(Duration.ofSeconds(4))
                .property("max.block.ms", 1_500)
                .property("linger.ms", 5);
    }

    /** Settings whose transactions the broker aborts after a second. */
    ProducerSettings.Builder shortTransactions() {
        return settings()
                .transactionTimeout(Duration.ofSeconds(1))
                .property("delivery.timeout.ms", 900)
                .property("request.timeout.ms", 800);
    }

    /** Settings for a broker that stands still: calls end after a second, before any request times out. */
    ProducerSettings.Builder impatient() {
        return settings().callTimeout(Duration.ofSeconds(1)).property("max.block.ms", 400);
    }

    /** A producer that is not initialised; closed after the test. */
    TransactionalProducer<String, String> create(ProducerSettings.Builder settings) {
        return closedAfterwards(
                TransactionalProducer.create(settings.build(), StringSerializer::new, StringSerializer::new));
    }

    /** A producer that is ready; closed after the test. */
    TransactionalProducer<String, String> ready(ProducerSettings.Builder settings) {
        return settled(create(settings)::init).orElseThrow();
    }

    /** Closes a producer after the test. */
    <P extends TransactionalProducer<?, ?>> P closedAfterwards(P producer) {
        producers.add(producer);
        return producer;
    }

    /** The successor that RECREATE asks for, ready; closed after the test. */
    TransactionalProducer<String, String> recreate(TransactionalProducer<String, String> producer) {
        return closedAfterwards(producer.recreate().orElseThrow());
    }

    /** Sends a record and waits until the broker has it. */
    void deliver(Transaction<String, String> transaction, String topic, String value) {
        assertThat(failure(transaction.send(new ProducerRecord<>(topic, value))))
                .as("failure of %s", value)
                .isEmpty();
    }

    /** Does what the result of a failed call asks for until the producer, or its successor, can begin again. */
    TransactionalProducer<String, String> follow(
            TransactionalProducer<String, String> producer, Transaction<String, String> transaction, TxnError error) {
        return switch (error.action()) {
            case RECREATE -> recreate(producer);
            case RETRY_CALL -> throw new AssertionError("only the caller knows which call to repeat: " + error);
            case ABORT_AND_REPLAY, STOP -> {
                TxnResult<TransactionStats> aborted = settled(transaction::abort);
                yield aborted.isSuccess() ? producer : follow(producer, transaction, error(aborted));
            }
        };
    }

    /** Shows that a producer works: one record in one transaction, visible afterwards next to what was there. */
    void assertGoesOn(TransactionalProducer<String, String> producer) {
        String topic = topic("next");
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, topic, "next");
        transaction.commit().orElseThrow();
        assertThat(probe().committedValues(topic)).containsExactly("next");
    }

    /** Shows that the only way on is a new producer, and that it works at once. */
    void assertOnlyRecreateHelps(TransactionalProducer<String, String> producer, TxnResult<?> result) {
        assertThat(error(result).action()).isEqualTo(Action.RECREATE);
        assertThat(error(producer.beginTransaction()).action()).isEqualTo(Action.RECREATE);
        assertGoesOn(recreate(producer));
    }

    /** A record and the offset of its input, for one transaction: what becomes of the one becomes of the other. */
    final class Pair {
        private final String out = topic("out");
        private final TopicPartition in = new TopicPartition(topic("in"), 0);
        private final String group = unique("group");

        void sendIn(Transaction<String, String> transaction) {
            deliver(transaction, out, "a");
            transaction
                    .sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(7)), groupMetadata(group, -1, ""))
                    .orElseThrow();
        }

        void assertCommitted() {
            assertOneOutcome();
            assertThat(probe().committedValues(out)).containsExactly("a");
        }

        /** For a commit in doubt that nothing but the committed offsets can tell of. */
        void assertOneOutcome() {
            List<String> visible = probe().committedValues(out);
            assertThat(visible).isIn(List.of(), List.of("a"));
            eventually("what the committed offset tells of the record")
                    .untilAsserted(() -> assertThat(probe().committedOffset(group, in))
                            .isEqualTo(visible.isEmpty() ? OptionalLong.empty() : OptionalLong.of(7)));
        }
    }

    /** Makes the brokers stand still, where the target can. */
    Pause pauseBrokers() {
        Optional<BrokerControl> brokers = target().brokers();
        assumeTrue(brokers.isPresent(), "the target cannot make its brokers stand still");
        return new Pause(brokers.orElseThrow());
    }

    /** The brokers stand still until this is closed. */
    static final class Pause implements AutoCloseable {
        private final BrokerControl brokers;
        private boolean over;

        private Pause(BrokerControl brokers) {
            this.brokers = brokers;
            brokers.pause();
        }

        /** Lets the brokers go on. */
        void end() {
            if (!over) {
                over = true;
                brokers.resume();
            }
        }

        @Override
        public void close() {
            end();
        }
    }

    private boolean isOurs(String thread) {
        return thread.equals(GUARD_THREAD)
                || producers.stream()
                        .map(producer -> producer.settings().transactionalId())
                        .anyMatch(id -> thread.startsWith(IO_THREAD) && thread.endsWith(id));
    }

    private static List<String> threads() {
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        return all.keySet().stream().map(Thread::getName).toList();
    }
}
