package io.github.kafkatxn.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Where a transform sends to is what it has made of its record: a place that does not exist costs that record only. */
public abstract class ProcessorOutputsContract extends ProcessorContract {
    private static final String BAD = "0:0003";

    /** For subclasses. */
    protected ProcessorOutputsContract() {}

    /** The client only says that it has waited for the partition, as it does in an outage. */
    @Test
    void anOutputPartitionThatDoesNotExist() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);

        start(
                settings(pipe, Protocol.CONSUMER).maxAttempts(2).producerProperty("max.block.ms", 500),
                (record, outputs) -> outputs.send(new ProducerRecord<>(
                        pipe.out(), record.value().equals(BAD) ? 7 : 0, record.key(), record.value())));

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).containsExactly(BAD);
    }

    @Test
    void anOutputTopicThatCannotExist() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);

        start(
                settings(pipe, Protocol.CONSUMER).maxAttempts(2),
                (record, outputs) -> outputs.send(
                        record.value().equals(BAD) ? "no topic!" : pipe.out(), record.key(), record.value()));

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).containsExactly(BAD);
    }
}
