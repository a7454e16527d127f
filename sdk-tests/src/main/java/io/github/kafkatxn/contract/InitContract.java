package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/**
 * An init that cannot succeed ends in its time, says what to change, and is never answered with another producer.
 * Scenario C34 (a), (c).
 */
public abstract class InitContract extends ProducerContract {

    /** For subclasses. */
    protected InitContract() {}

    /** C34 (a): both values are in the message. */
    @Test
    void aTransactionTimeoutAboveTheBrokersMaximumStops() {
        TransactionalProducer<String, String> producer =
                create(settings().transactionTimeout(Duration.ofMillis(86_400_001)));

        TxnError error = error(producer.init());

        assertThat(error.action()).isEqualTo(Action.STOP);
        assertThat(error.category()).isEqualTo(ErrorCategory.INVALID_CONFIGURATION);
        assertThat(error.message()).contains("transaction.timeout.ms=86400001", "transaction.max.timeout.ms=");
        assertThat(error(producer.recreate()).action()).as("another producer").isEqualTo(Action.STOP);
    }

    /** Within its time, the question why included. */
    @Test
    void withoutABrokerInitEndsAndNamesTheAddress() {
        TransactionalProducer<String, String> producer =
                create(settings().bootstrapServers("127.0.0.1:1").callTimeout(Duration.ofSeconds(2)));
        long start = System.nanoTime();

        TxnError error = error(producer.init());

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(error.action()).isEqualTo(Action.RETRY_CALL);
        assertThat(error.message()).contains("No broker answers", "127.0.0.1:1");
    }

    @Test
    void initMayBeRepeatedOnceTheBrokersAnswer() {
        TransactionalProducer<String, String> producer = create(impatient());
        try (Pause pause = pauseBrokers()) {
            assertThat(error(producer.init()).action()).isEqualTo(Action.RETRY_CALL);
            assertThat(error(producer.beginTransaction()).message()).contains("init()");
            pause.end();
        }

        assertThat(settled(producer::init).isSuccess()).isTrue();
        assertGoesOn(producer);
    }

    /** C34 (c): what only the client can check. */
    @Test
    void aSettingTheClientRefusesStops() {
        TransactionalProducer<String, String> producer =
                create(settings().property(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, "no.such.Interceptor"));

        TxnError error = error(producer.init());

        assertThat(error.action()).isEqualTo(Action.STOP);
        assertThat(error.message()).contains("no.such.Interceptor");
    }

    @Test
    void serializersThatCannotBeMadeStopAndNoneIsLeftOpen() {
        AtomicInteger closed = new AtomicInteger();
        TransactionalProducer<String, String> producer = closedAfterwards(TransactionalProducer.create(
                settings().build(), () -> new Counting(closed), () -> new Refusing(closed)));

        TxnError error = error(producer.init());

        assertThat(error.action()).isEqualTo(Action.STOP);
        assertThat(error.message()).contains("cannot be configured");
        assertThat(closed).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void serializersAreConfiguredAndClosed() {
        AtomicInteger closed = new AtomicInteger();
        TransactionalProducer<String, String> producer = closedAfterwards(
                TransactionalProducer.create(settings().build(), () -> new Counting(closed), StringSerializer::new));
        producer.init().orElseThrow();
        assertThat(closed).hasValue(0);

        producer.close();

        assertThat(closed).hasValue(1);
    }

    /** Counts how often it is closed. */
    private static class Counting extends StringSerializer {
        private final AtomicInteger closed;

        Counting(AtomicInteger closed) {
            this.closed = closed;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /** Cannot be configured. */
    private static final class Refusing extends Counting {
        Refusing(AtomicInteger closed) {
            super(closed);
        }

        @Override
        public void configure(Map<String, ?> configs, boolean isKey) {
            throw new IllegalStateException("cannot be configured");
        }
    }
}
