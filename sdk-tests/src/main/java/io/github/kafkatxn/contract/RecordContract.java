package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A record that cannot be sent, whichever layer refuses it, keeps its whole transaction from being committed, says
 * whether the record is at fault, and leaves a producer that goes on. Scenarios C25, C28.
 */
public abstract class RecordContract extends ProducerContract {
    private static final String LARGE = "x".repeat(5_000);

    /** For subclasses. */
    protected RecordContract() {}

    /** C25, limit of the client. */
    @Test
    void aRecordAboveTheLimitOfTheClientFailsTheTransaction() {
        TransactionalProducer<String, String> producer = ready(settings().property("max.request.size", 2_000));

        TxnError error = assertFailsTheTransaction(producer, topic("out"), LARGE);

        assertThat(error.cause()).isInstanceOf(RecordTooLargeException.class);
        assertRecordIsAtFault(error);
        assertGoesOn(producer);
    }

    /** C25, limit of the topic. */
    @Test
    void aRecordAboveTheLimitOfTheBrokerFailsTheTransaction() {
        String out = unique("out");
        ClusterProbe.get(probe().admin()
                .createTopics(List.of(new NewTopic(out, 1, (short) 1).configs(Map.of("max.message.bytes", "2000"))))
                .all());
        TransactionalProducer<String, String> producer = ready(settings());

        TxnError error = assertFailsTheTransaction(producer, out, LARGE);

        assertThat(error.cause()).isInstanceOf(RecordTooLargeException.class);
        assertRecordIsAtFault(error);
        assertGoesOn(producer);
    }

    /** C28: the serializer throws, and one that turns a value into a tombstone. */
    @ParameterizedTest
    @ValueSource(strings = {"throw", "null"})
    void aRecordTheSerializerRefusesFailsTheTransaction(String bad) {
        TransactionalProducer<String, String> producer =
                closedAfterwards(TransactionalProducer.create(settings().build(), StringSerializer::new, Picky::new));
        producer.init().orElseThrow();

        TxnError error = assertFailsTheTransaction(producer, topic("out"), bad);

        assertThat(error.cause()).isInstanceOf(SerializationException.class);
        assertRecordIsAtFault(error);
        assertGoesOn(producer);
    }

    /** C28: a value of another class than the serializer is for. */
    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void aValueOfTheWrongClassFailsTheTransaction() {
        TransactionalProducer<String, String> producer = ready(settings());
        String out = topic("out");
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "good");

        assertThat(failure(((Transaction) transaction).send(new ProducerRecord(out, 42))))
                .isPresent();
        TxnError error = error(transaction.commit());

        assertRecordIsAtFault(error);
        assertThat(error.message()).contains("Integer");
        transaction.abort().orElseThrow();
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(producer);
    }

    /** C28: the partitioner throws, or returns a number that is none. */
    @ParameterizedTest
    @ValueSource(strings = {"throw", "-1"})
    void aRecordThePartitionerCannotPlaceFailsTheTransaction(String bad) {
        TransactionalProducer<String, String> producer =
                ready(settings().property(ProducerConfig.PARTITIONER_CLASS_CONFIG, Wayward.class));

        assertFailsTheTransaction(producer, topic("out"), bad);

        assertGoesOn(producer);
    }

    /**
     * C28: the partitioner chooses a partition that is not there, which the client does not check. What it does then
     * may never end by itself, the calls do.
     */
    @Test
    void aRecordForAPartitionTheTopicDoesNotHaveFailsTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer =
                ready(impatient().property(ProducerConfig.PARTITIONER_CLASS_CONFIG, Wayward.class));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "good");

        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>(out, "7"));
        TxnError error = error(transaction.commit());

        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        TransactionalProducer<String, String> next = follow(producer, transaction, error);
        assertThat(failure(sent)).isPresent();
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(next);
    }

    /** A partition that is not there, chosen by the caller. */
    @Test
    void aRecordForAPartitionThatIsNotThereFailsTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("max.block.ms", 500));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "good");

        assertThat(failure(transaction.send(new ProducerRecord<>(out, 7, null, "bad"))))
                .isPresent();

        assertThat(error(transaction.commit()).action()).isEqualTo(Action.ABORT_AND_REPLAY);
        transaction.abort().orElseThrow();
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(producer);
    }

    /** C28: the client itself passes over what an interceptor throws, so the record is sent as it was. */
    @Test
    void anInterceptorThatThrowsChangesNothing() {
        String out = topic("out");
        TransactionalProducer<String, String> producer =
                ready(settings().property(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, Throwing.class.getName()));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();

        deliver(transaction, out, "a");
        transaction.commit().orElseThrow();

        assertThat(probe().committedValues(out)).containsExactly("a");
    }

    /** An interceptor that loses the record makes the send fail. */
    @Test
    void anInterceptorThatReturnsNothingFailsTheTransaction() {
        ProducerSettings.Builder settings =
                settings().property(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, Losing.class.getName());
        TransactionalProducer<String, String> producer = ready(settings);

        assertFailsTheTransaction(producer, topic("out"), "lost");

        assertGoesOn(producer);
    }

    /** One good record, one bad one: the transaction is poisoned, a further record refused, nothing visible. */
    private TxnError assertFailsTheTransaction(TransactionalProducer<String, String> producer, String out, String bad) {
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "good");

        assertThat(failure(transaction.send(new ProducerRecord<>(out, bad)))).isPresent();
        TxnError error = error(transaction.commit());
        assertThat(transaction.failure()).contains(error);
        assertThat(refusal(transaction.send(new ProducerRecord<>(out, "more")))).isEqualTo(error);
        assertThat(transaction.abort().isSuccess()).isTrue();

        assertThat(probe().committedValues(out)).isEmpty();
        return error;
    }

    private static void assertRecordIsAtFault(TxnError error) {
        assertThat(error.recordLevel()).as(error.message()).isTrue();
        assertThat(error.action()).isEqualTo(Action.STOP);
    }

    /** Refuses some values. */
    private static final class Picky implements Serializer<String> {
        @Override
        @SuppressWarnings("NullAway") // That is the mistake.
        public byte[] serialize(String topic, String data) {
            if (data.equals("throw")) {
                throw new SerializationException("cannot write " + data);
            }
            return data.equals("null") ? null : data.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Places some values nowhere; made by the client. */
    public static final class Wayward implements Partitioner {
        /** For the client. */
        public Wayward() {}

        @Override
        public int partition(
                String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
            return switch (String.valueOf(value)) {
                case "throw" -> throw new IllegalStateException("cannot place " + value);
                case "-1" -> -1;
                case "7" -> 7;
                default -> 0;
            };
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /** Throws wherever it is called; made by the client. */
    public static final class Throwing implements ProducerInterceptor<String, String> {
        /** For the client. */
        public Throwing() {}

        @Override
        public ProducerRecord<String, String> onSend(ProducerRecord<String, String> record) {
            throw new IllegalStateException("onSend");
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            throw new IllegalStateException("onAcknowledgement");
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /** Loses some records; made by the client. */
    public static final class Losing implements ProducerInterceptor<String, String> {
        /** For the client. */
        public Losing() {}

        @Override
        @SuppressWarnings("NullAway") // That is the mistake.
        public ProducerRecord<String, String> onSend(ProducerRecord<String, String> record) {
            return record.value().equals("lost") ? null : record;
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
