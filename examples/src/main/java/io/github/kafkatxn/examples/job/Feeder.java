package io.github.kafkatxn.examples.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows to the input topic, at a steady rate and only as far as it may yet, so that there is work left
 * whenever something is about to be hurt. The key of a row is its number, from 1.
 */
final class Feeder implements AutoCloseable {
    private static final long TICK_MILLIS = 20;

    private final List<String> lines;
    private final String topic;
    private final double rowsPerTick;
    private final Signal signal;
    private final Producer<String, String> producer;
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
    private volatile int limit;
    private volatile int fed;
    private double allowance;

    Feeder(String bootstrapServers, String topic, List<String> lines, Duration time, Signal signal) {
        this.lines = lines;
        this.topic = topic;
        this.rowsPerTick = (double) lines.size() * TICK_MILLIS / time.toMillis();
        this.signal = signal;
        // Idempotent and patient: a row is written once, however long a broker is away.
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "linger.ms", 5),
                new StringSerializer(),
                new StringSerializer());
    }

    void start() {
        var unused = ticks.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Lets it go on up to this part of all rows, from 0 to 1. */
    void allow(double part) {
        limit = Math.max(limit, (int) Math.ceil(lines.size() * part));
    }

    /** Lets it go on by so many rows, if there are that many. */
    void allowMore(int rows) {
        limit = Math.min(lines.size(), limit + rows);
    }

    /** How many rows it has handed to its producer. */
    int fed() {
        return fed;
    }

    /** Whether it may not go on for the moment, or has nothing left. */
    boolean waits() {
        return fed >= limit;
    }

    private void tick() {
        try {
            allowance = Math.min(allowance + rowsPerTick, Math.max(1, rowsPerTick));
            while (allowance >= 1 && fed < limit) {
                int next = fed;
                send(next + 1, lines.get(next));
                fed = next + 1;
                allowance--;
            }
        } catch (RuntimeException e) {
            signal.fail(new JobFailure("row " + (fed + 1) + " could not be sent", e));
            throw e;
        }
    }

    private void send(int number, String line) {
        var unused = producer.send(
                new ProducerRecord<>(topic, Integer.toString(number), line),
                (metadata, exception) -> check(number, exception));
    }

    private void check(int number, @Nullable Exception exception) {
        if (exception != null) {
            signal.fail(new JobFailure(
                    "row " + number + " could not be written to " + topic + ": " + exception.getMessage(), exception));
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        producer.close(Duration.ofSeconds(5));
    }
}
