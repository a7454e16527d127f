package io.github.kafkatxn.examples;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Outputs;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application to copy: reads rows of comma-separated values, writes each as a JSON object keyed by its first field,
 * exactly once. A row that is malformed goes to a dead-letter topic.
 *
 * <p>Run as many instances as you like, each with a name of its own that it keeps over restarts.
 */
public final class RowsToEvents implements RecordTransform<String, String, String, String> {
    /** The header with the key of the row that an event was made from. */
    public static final String ROW_HEADER = "row";

    private final List<String> columns;
    private final String outputTopic;

    /**
     * A transform, safe for several threads.
     *
     * @param columns names of the fields of a row
     * @param outputTopic where the events go
     */
    public RowsToEvents(List<String> columns, String outputTopic) {
        this.columns = List.copyOf(columns);
        this.outputTopic = outputTopic;
    }

    /**
     * What it runs with.
     *
     * @param bootstrapServers host:port pairs, separated by commas
     * @param group the consumer group, and the prefix of the transactional ids
     * @param instance name of this instance
     * @param inputTopic where the rows are
     * @param deadLetterTopic where malformed rows go
     * @return settings, to be varied and built
     */
    public static ProcessorSettings.Builder settings(
            String bootstrapServers, String group, String instance, String inputTopic, String deadLetterTopic) {
        return ProcessorSettings.builder()
                .bootstrapServers(bootstrapServers)
                .groupId(group)
                .instance(instance)
                .inputTopics(inputTopic)
                .deadLetterTopic(deadLetterTopic)
                .concurrency(2)
                .maxRecordsPerTransaction(100)
                // The partitions of an instance that died go to the others after this.
                .consumerProperty("session.timeout.ms", 6_000)
                .consumerProperty("heartbeat.interval.ms", 1_000);
    }

    /**
     * The loop around a transform.
     *
     * @param settings what it runs with
     * @param transform what it does
     * @return not started yet; the caller closes it
     */
    public static ExactlyOnceProcessor create(
            ProcessorSettings settings, RecordTransform<String, String, String, String> transform) {
        return ExactlyOnceProcessor.create(
                settings,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                transform);
    }

    @Override
    public void transform(ConsumerRecord<String, String> row, Outputs<String, String> outputs) {
        List<String> fields = columns.size() == 1 ? List.of(row.value()) : Csv.fields(row.value());
        var event = new ProducerRecord<>(outputTopic, fields.get(0), Json.object(columns, fields));
        event.headers().add(ROW_HEADER, row.key().getBytes(StandardCharsets.UTF_8));
        outputs.send(event);
    }

    /**
     * Runs one instance until it is stopped.
     *
     * @param args bootstrap servers, name of the instance, topics of rows, events and dead letters, names of the
     *     columns
     */
    public static void main(String[] args) {
        var transform = new RowsToEvents(List.of(args).subList(5, args.length), args[3]);
        ProcessorSettings settings =
                settings(args[0], "rows-to-events", args[1], args[2], args[4]).build();
        try (ExactlyOnceProcessor processor = create(settings, transform)) {
            StopReason reason = processor.run();
            System.err.println(reason.kind() + ": " + reason.message());
        }
    }
}
