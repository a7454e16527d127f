package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.contract.KafkaTarget.BrokerControl;
import io.github.kafkatxn.processor.RecordTransform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What goes in and what must come out: input whose values say where they stand, and the one question that is asked at
 * the end of every test of a processor: is each input record there once, either as an output or as a dead letter, for a
 * reader that knows nothing of the processor.
 */
public abstract class PipeContract extends KafkaContract {

    /** For subclasses. */
    protected PipeContract() {}

    /**
     * A new topic.
     *
     * @param hint what for
     * @param partitions how many partitions
     * @return its name
     */
    protected String topic(String hint, int partitions) {
        return probe().createTopic(unique(hint), partitions);
    }

    /** {@return a group, input of two partitions, outputs and dead letters, all new} */
    protected Pipe pipe() {
        return pipe(2);
    }

    /**
     * A group, input, outputs and dead letters, all new.
     *
     * @param partitions of the input
     * @return their names
     */
    protected Pipe pipe(int partitions) {
        return new Pipe(
                unique("group"),
                topic("in", partitions),
                topic("out", 1),
                topic("dead", 1),
                partitions,
                new ArrayList<>());
    }

    /**
     * The surroundings of one processor.
     *
     * @param group the consumer group
     * @param in the input topic
     * @param out the output topic, of one partition
     * @param dead the dead-letter topic, of one partition
     * @param partitions of the input
     * @param fed all values that were fed
     */
    protected record Pipe(String group, String in, String out, String dead, int partitions, List<String> fed) {

        /** {@return the transform that copies the input} */
        RecordTransform<String, String, String, String> copy() {
            return (record, outputs) -> outputs.send(out, record.key(), record.value());
        }

        TopicPartition partition(int number) {
            return new TopicPartition(in, number);
        }
    }

    /**
     * Appends records to a partition of the input. Values are the partition and a number that counts up.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param count how many
     */
    protected void feed(Pipe pipe, int partition, int count) {
        int from = (int) pipe.fed().stream()
                .filter(value -> value.startsWith(partition + ":"))
                .count();
        List<String> values = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            values.add("%d:%04d".formatted(partition, i));
        }
        append(pipe, partition, values);
    }

    /**
     * Appends records to a partition of the input.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param values their values
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing the producer waits for what was sent
    protected void append(Pipe pipe, int partition, List<String> values) {
        try (var producer =
                new KafkaProducer<>(target().adminConfig(), new StringSerializer(), new StringSerializer())) {
            values.forEach(value -> producer.send(new ProducerRecord<>(pipe.in(), partition, "key", value)));
        }
        pipe.fed().addAll(values);
    }

    /**
     * Appends records to a partition of the input, in a transaction of its own.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param values their values
     * @param commit whether they become visible
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the transaction tells
    protected void appendInTransaction(Pipe pipe, int partition, List<String> values, boolean commit) {
        Map<String, Object> config = new HashMap<>(target().adminConfig());
        config.put("transactional.id", unique("feeder"));
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            values.forEach(value -> producer.send(new ProducerRecord<>(pipe.in(), partition, "key", value)));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
                pipe.fed().addAll(values);
            } else {
                producer.abortTransaction();
            }
        }
        probe().awaitNothingOpen(pipe.in());
    }

    /**
     * Waits until the group has committed everything there is.
     *
     * @param pipe the surroundings
     */
    protected void awaitLagZero(Pipe pipe) {
        eventually("lag of zero")
                .untilAsserted(
                        () -> assertThat(probe().lag(pipe.group(), pipe.in())).isZero());
    }

    /**
     * Shows that all there is has been committed, and that each input record is there once.
     *
     * @param pipe the surroundings
     */
    protected void assertExactlyOnce(Pipe pipe) {
        awaitLagZero(pipe);
        assertEachOnce(pipe);
    }

    /**
     * Shows that each input record is there once, as an output or as a dead letter; outputs in the order of the input.
     *
     * @param pipe the surroundings
     */
    protected void assertEachOnce(Pipe pipe) {
        List<String> outputs = assertEachOnceInAnyOrder(pipe);
        for (int i = 0; i < pipe.partitions(); i++) {
            String prefix = i + ":";
            assertThat(outputs.stream().filter(value -> value.startsWith(prefix)))
                    .isSorted();
        }
    }

    /**
     * Shows that each input record is there once, as an output or as a dead letter.
     *
     * @param pipe the surroundings
     * @return the outputs
     */
    protected List<String> assertEachOnceInAnyOrder(Pipe pipe) {
        List<String> outputs = probe().committedValues(pipe.out());
        List<String> all = new ArrayList<>(outputs);
        all.addAll(probe().committedValues(pipe.dead()));
        assertThat(all).as("outputs and dead letters").containsExactlyInAnyOrderElementsOf(pipe.fed());
        return outputs;
    }

    /**
     * Waits for something the processor does.
     *
     * @param latch opened by it
     */
    protected static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as("reached in time").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Lets a latch wait, in a transform.
     *
     * @param latch opened by the test
     */
    protected static void hold(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).as("released in time").isTrue();
    }

    /**
     * Does something while no broker answers, where the target can do that.
     *
     * @param action what to do; they go on afterwards
     */
    protected void whileBrokersAreAway(Runnable action) {
        Optional<BrokerControl> brokers = target().brokers();
        assumeTrue(brokers.isPresent(), "the target cannot make its brokers stand still");
        brokers.orElseThrow().pause();
        try {
            action.run();
        } finally {
            brokers.orElseThrow().resume();
        }
    }

    /**
     * What a dead letter says of itself.
     *
     * @param dead the dead letter
     * @param name of the header, without its prefix
     * @return the value
     */
    protected static String header(ConsumerRecord<String, String> dead, String name) {
        Header header = dead.headers().lastHeader("kafkatxn.dead-letter." + name);
        return new String(header.value(), StandardCharsets.UTF_8);
    }
}
