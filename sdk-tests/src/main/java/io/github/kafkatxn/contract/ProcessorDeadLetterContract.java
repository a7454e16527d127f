package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static io.github.kafkatxn.contract.ClusterProbe.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Outputs;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.TxnException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/**
 * A record that cannot be processed is found, whatever its fault, tried as often as agreed, and dead-lettered together
 * with its offset; all others are processed. Scenarios C23, C25, C28.
 */
public abstract class ProcessorDeadLetterContract extends ProcessorContract {
    private static final String BAD = "0:0007";
    private static final String LARGE = "x".repeat(5_000);

    /** For subclasses. */
    protected ProcessorDeadLetterContract() {}

    /** C23 (a): with its own bytes, and where it came from and why. */
    @Test
    void aRecordThatAlwaysFailsIsDeadLettered() {
        Pipe pipe = fedPipe();
        ProcessorEvents events = new ProcessorEvents();
        AtomicInteger attempts = new AtomicInteger();

        start(settings(pipe, Protocol.CONSUMER, events).maxAttempts(4), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.value().equals(BAD)) {
                attempts.incrementAndGet();
                throw new IllegalArgumentException("cannot do " + BAD);
            }
        });

        assertExactlyOnce(pipe);
        assertThat(attempts).hasValue(4);
        assertThat(events.deadLetters()).singleElement().satisfies(dead -> {
            assertThat(dead.partition()).isEqualTo(pipe.partition(0));
            assertThat(dead.offset()).isEqualTo(7);
            assertThat(dead.error().cause()).hasMessage("cannot do " + BAD);
        });
        assertThat(probe().committedRecords(pipe.dead())).singleElement().satisfies(dead -> {
            assertThat(dead.key()).isEqualTo("key");
            assertThat(dead.value()).isEqualTo(BAD);
            assertThat(header(dead, "topic")).isEqualTo(pipe.in());
            assertThat(header(dead, "partition")).isEqualTo("0");
            assertThat(header(dead, "offset")).isEqualTo("7");
            assertThat(header(dead, "group")).isEqualTo(pipe.group());
            assertThat(header(dead, "attempts")).isEqualTo("4");
            assertThat(header(dead, "exception")).isEqualTo(IllegalArgumentException.class.getName());
            assertThat(header(dead, "message")).isEqualTo("cannot do " + BAD);
        });
    }

    /** C23 (b), and dead letter and offset are one: neither is there when the dead letter is refused. */
    @Test
    void aDeadLetterThatIsRefusedLeavesEverythingAsItWas() {
        Pipe pipe = pipe(1);
        limitMessages(pipe.dead(), 100);
        feed(pipe, 0, 20);

        ExactlyOnceProcessor processor = start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            failAt(record);
        });
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.POISON_RECORD);
        assertThat(reason.message()).contains("dead-lettered");
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
        assertThat(probe().committedValues(pipe.out()))
                .containsExactlyElementsOf(pipe.fed().subList(0, 7));
        assertThat(probe().committedOffset(pipe.group(), pipe.partition(0))).hasValue(7);

        limitMessages(pipe.dead(), 1_000_000);
        start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            failAt(record);
        });
        assertExactlyOnce(pipe);
    }

    /** C23 (b), (c): the brokers are away when it is dead-lettered. */
    @Test
    void anOutageWhileDeadLetteringDoesNotDoubleTheDeadLetter() {
        Pipe pipe = fedPipe();
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch last = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);
        ProcessorEvents events = new ProcessorEvents();

        start(settings(pipe, Protocol.CONSUMER, events).maxAttempts(2), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.value().equals(BAD)) {
                if (attempts.incrementAndGet() == 2) {
                    last.countDown();
                    hold(away);
                }
                throw new IllegalArgumentException("cannot do " + BAD);
            }
        });
        await(last);
        whileBrokersAreAway(() -> {
            away.countDown();
            eventually("an unanswered call").until(() -> !events.retries().isEmpty());
        });

        assertExactlyOnce(pipe);
        assertThat(events.deadLetters()).hasSize(1);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void withoutADeadLetterTopicItStopsAtTheRecord() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 20);

        ExactlyOnceProcessor processor = start(withoutDeadLetters(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            failAt(record);
        });
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.POISON_RECORD);
        assertThat(reason.message()).contains("cannot do", pipe.in() + "-0", "offset 7");
        assertThat(probe().committedOffset(pipe.group(), pipe.partition(0))).hasValue(7);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** C25: refused by the client. */
    @Test
    void anOutputThatIsTooLargeForTheClient() {
        Pipe pipe = fedPipe();
        ProcessorEvents events = new ProcessorEvents();

        start(
                settings(pipe, Protocol.CONSUMER, events).producerProperty("max.request.size", 2_000),
                (record, outputs) ->
                        outputs.send(pipe.out(), record.key(), record.value().equals(BAD) ? LARGE : record.value()));

        assertOnlyTheBadOneIsDead(pipe);
        assertThat(events.rewinds()).as("attempts").hasSize(3);
    }

    /** C25: refused by the broker, for a batch of which any record may be at fault. */
    @Test
    void anOutputThatIsTooLargeForTheBroker() {
        Pipe pipe = fedPipe();
        String strict = topic("strict", 1);
        limitMessages(strict, 2_000);
        ProcessorEvents events = new ProcessorEvents();

        start(settings(pipe, Protocol.CONSUMER, events), (record, outputs) -> {
            if (record.value().equals(BAD)) {
                outputs.send(strict, record.key(), LARGE);
            } else {
                outputs.send(pipe.out(), record.key(), record.value());
            }
        });

        assertOnlyTheBadOneIsDead(pipe);
        // Forty records: six halves until the record stands alone, of which each fails once, then its attempts.
        assertThat(events.rewinds()).as("failed transactions").hasSizeLessThanOrEqualTo(6 + 3);
    }

    /** C25: among others for the same partition. The client splits the batch, without an end. */
    @Test
    void anOutputThatIsTooLargeForTheBrokerAmongOthers() {
        Pipe pipe = fedPipe();
        limitMessages(pipe.out(), 2_000);

        start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.value().equals(BAD)) {
                outputs.send(pipe.out(), record.key(), LARGE);
            }
        });

        assertOnlyTheBadOneIsDead(pipe);
    }

    /** Nothing is taken once a transaction has failed: whoever meets that next is not the one at fault. */
    @Test
    void theNextRecordIsNotBlamedForTheOneBefore() {
        Pipe pipe = pipe(1);
        String strict = topic("strict", 1);
        limitMessages(strict, 2_000);
        feed(pipe, 0, 20);
        AtomicBoolean met = new AtomicBoolean();

        start(settings(pipe, Protocol.CONSUMER).maxAttempts(1).producerProperty("linger.ms", 0), (record, outputs) -> {
            if (record.value().equals(BAD)) {
                outputs.send(strict, record.key(), LARGE);
                return;
            }
            outputs.send(pipe.out(), record.key(), record.value());
            // Until the broker has refused the one before; all this is aborted with it.
            while (record.offset() == 8 && !met.get()) {
                try {
                    outputs.send(pipe.out(), record.key(), "filler");
                } catch (TxnException e) {
                    met.set(true);
                    throw e;
                }
            }
        });

        assertOnlyTheBadOneIsDead(pipe);
        assertThat(met).isTrue();
    }

    /** C28: the serializer throws, and the transform goes on as if nothing had happened. */
    @Test
    void anOutputThatCannotBeSerialized() {
        Pipe pipe = fedPipe();

        ExactlyOnceProcessor processor = closedAfterwards(ExactlyOnceProcessor.create(
                settings(pipe, Protocol.CONSUMER).build(),
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                Fussy::new,
                (ConsumerRecord<String, String> record, Outputs<String, String> outputs) -> {
                    try {
                        outputs.send(pipe.out(), record.key(), record.value());
                    } catch (TxnException e) {
                        assertThat(e.error().recordLevel()).isTrue();
                    }
                }));
        processor.start();

        assertOnlyTheBadOneIsDead(pipe);
    }

    /** Nobody can read it: it is dead-lettered as it is. */
    @Test
    void inputThatCannotBeRead() {
        Pipe pipe = fedPipe();

        ExactlyOnceProcessor processor = closedAfterwards(ExactlyOnceProcessor.create(
                settings(pipe, Protocol.CONSUMER).build(),
                StringDeserializer::new,
                Illiterate::new,
                StringSerializer::new,
                StringSerializer::new,
                pipe.copy()));
        processor.start();

        assertOnlyTheBadOneIsDead(pipe);
    }

    /** Not an outage, but what the transform has made of the record. */
    @Test
    void anOutputTopicThatDoesNotExist() {
        Pipe pipe = fedPipe();

        start(
                settings(pipe, Protocol.CONSUMER).maxAttempts(2).producerProperty("max.block.ms", 500),
                (record, outputs) -> outputs.send(
                        record.value().equals(BAD) ? "no-such-topic" : pipe.out(), record.key(), record.value()));

        assertOnlyTheBadOneIsDead(pipe);
    }

    private Pipe fedPipe() {
        Pipe pipe = pipe();
        feed(pipe, 0, 20);
        feed(pipe, 1, 20);
        return pipe;
    }

    private void assertOnlyTheBadOneIsDead(Pipe pipe) {
        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).containsExactly(BAD);
    }

    private void limitMessages(String topic, int bytes) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        ConfigEntry limit = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
        get(probe().admin()
                .incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
                .all());
    }

    private static void failAt(ConsumerRecord<String, String> record) {
        if (record.value().equals(BAD)) {
            throw new IllegalArgumentException("cannot do " + BAD);
        }
    }

    /** Throws at one value. */
    private static final class Fussy extends StringSerializer {
        @Override
        public byte[] serialize(String topic, String data) {
            if (BAD.equals(data)) {
                throw new SerializationException("cannot write " + BAD);
            }
            return super.serialize(topic, data);
        }
    }

    /** Throws at one value. */
    private static final class Illiterate extends StringDeserializer {
        @Override
        public String deserialize(String topic, byte[] data) {
            String text = super.deserialize(topic, data);
            if (BAD.equals(text)) {
                throw new SerializationException("cannot read " + BAD);
            }
            return text;
        }
    }
}
