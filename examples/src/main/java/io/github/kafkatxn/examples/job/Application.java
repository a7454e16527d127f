package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.RowWorkers;
import io.github.kafkatxn.examples.RowsToEvents;
import io.github.kafkatxn.processor.Processor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import org.apache.kafka.clients.admin.Admin;

/** The applications that the job can run, each in several processes of two lanes. */
enum Application {
    /** In a consumer group: a partition is one lane's. */
    ROWS_TO_EVENTS("rows-to-events", "instance", 2, 8) {
        @Override
        ProcessorSettings.Builder settings(String bootstrapServers, Topics topics, String instance) {
            return RowsToEvents.settings(
                    bootstrapServers, topics.group(), instance, topics.rows(), topics.deadLetters());
        }

        @Override
        Processor create(ProcessorSettings settings, RecordTransform<String, String, String, String> transform) {
            return RowsToEvents.create(settings, transform);
        }

        @Override
        Group group(Admin admin, Topics topics) {
            return new ConsumerGroup(admin, topics.group());
        }
    },
    /** In a share group: there are more lanes than partitions. */
    ROW_WORKERS("row-workers", "worker", 3, 2) {
        @Override
        ProcessorSettings.Builder settings(String bootstrapServers, Topics topics, String instance) {
            return RowWorkers.settings(bootstrapServers, topics.group(), instance, topics.rows(), topics.deadLetters())
                    .maxDeliveries(ShareGroup.DELIVERIES - 1);
        }

        @Override
        Processor create(ProcessorSettings settings, RecordTransform<String, String, String, String> transform) {
            return RowWorkers.create(settings, transform);
        }

        @Override
        Group group(Admin admin, Topics topics) {
            return new ShareGroup(admin, topics.group());
        }
    };

    private static final int LANES = 2;

    private final String prefix;
    private final String word;
    private final int instances;
    private final int partitions;

    Application(String prefix, String word, int instances, int partitions) {
        this.prefix = prefix;
        this.word = word;
        this.instances = instances;
        this.partitions = partitions;
    }

    /** What the names of its topics begin with. */
    String prefix() {
        return prefix;
    }

    /** What one of its processes is called. */
    String word() {
        return word;
    }

    /** How many processes it has. */
    int instances() {
        return instances;
    }

    /** How many members its group has. */
    int members() {
        return instances * LANES;
    }

    /** How many partitions its input has. */
    int partitions() {
        return partitions;
    }

    abstract ProcessorSettings.Builder settings(String bootstrapServers, Topics topics, String instance);

    abstract Processor create(ProcessorSettings settings, RecordTransform<String, String, String, String> transform);

    abstract Group group(Admin admin, Topics topics);
}
