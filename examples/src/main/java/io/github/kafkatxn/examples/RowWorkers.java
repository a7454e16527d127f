package io.github.kafkatxn.examples;

import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.processor.StopReason;
import java.util.List;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application to copy: the work of {@link RowsToEvents} as a queue. Its workers are members of a share group, so
 * that there may be more of them than partitions, and a slow one holds nobody up.
 *
 * <p>Exactly once on a cluster that takes acknowledgements into a transaction (KIP-1289), at least once on others.
 *
 * <p>Run as many workers as you like, each with a name of its own that it keeps over restarts. Set for the group
 * {@code share.auto.offset.reset=earliest} and {@code share.isolation.level=read_committed} before.
 */
public final class RowWorkers {
    private RowWorkers() {}

    /**
     * What a worker runs with.
     *
     * @param bootstrapServers host:port pairs, separated by commas
     * @param group the share group, and the prefix of the transactional ids
     * @param worker name of this worker
     * @param inputTopic where the rows are
     * @param deadLetterTopic where malformed rows go
     * @return settings, to be varied and built
     */
    public static ProcessorSettings.Builder settings(
            String bootstrapServers, String group, String worker, String inputTopic, String deadLetterTopic) {
        return ProcessorSettings.builder()
                .bootstrapServers(bootstrapServers)
                .shareGroupId(group)
                .instance(worker)
                .inputTopics(inputTopic)
                .deadLetterTopic(deadLetterTopic)
                .concurrency(2)
                .maxRecordsPerTransaction(50)
                .atLeastOnce();
    }

    /**
     * The loop around a transform.
     *
     * @param settings what it runs with
     * @param transform what it does
     * @return not started yet; the caller closes it
     */
    public static ShareProcessor create(
            ProcessorSettings settings, RecordTransform<String, String, String, String> transform) {
        return ShareProcessor.create(
                settings,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                transform);
    }

    /**
     * Runs one worker until it is stopped.
     *
     * @param args bootstrap servers, name of the worker, topics of rows, events and dead letters, names of the columns
     */
    public static void main(String[] args) {
        var transform = new RowsToEvents(List.of(args).subList(5, args.length), args[3]);
        ProcessorSettings settings =
                settings(args[0], "row-workers", args[1], args[2], args[4]).build();
        try (ShareProcessor processor = create(settings, transform)) {
            StopReason reason = processor.run();
            System.err.println(reason.kind() + ": " + reason.message());
        }
    }
}
