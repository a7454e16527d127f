package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.time.Duration;

/** A cluster that was started for the job, and ends with it. */
interface StartedKafka extends AutoCloseable {

    static StartedKafka start(Arguments arguments, Console console) {
        String brokers = ", brokers: " + arguments.brokers();
        return switch (arguments.kafka()) {
            case REFERENCE -> {
                console.line("starting the reference cluster in this process" + brokers);
                yield new Reference(ReferenceCluster.start(ClusterSettings.builder()
                        .nodes(arguments.brokers())
                        .shareVersion(Reference.TRANSACTIONAL_SHARE)
                        .build()));
            }
            case APACHE -> {
                console.line("starting Apache Kafka" + brokers);
                yield new Apache(ApacheKafka.builder()
                        .brokers(arguments.brokers())
                        .heapMiB(Apache.HEAP_MIB)
                        .startTimeout(Apache.START_TIMEOUT)
                        .start());
            }
        };
    }

    String bootstrapServers();

    int groupCoordinator(String group);

    void kill(int broker);

    void restart(int broker);

    /** What killing a broker means here. */
    String how();

    @Override
    void close();

    /** In this process. */
    record Reference(ReferenceCluster cluster) implements StartedKafka {
        /** With acknowledgements in transactions (KIP-1289). */
        private static final int TRANSACTIONAL_SHARE = 3;

        @Override
        public String bootstrapServers() {
            return cluster.bootstrapServers();
        }

        @Override
        public int groupCoordinator(String group) {
            return cluster.leader(cluster.groupPartition(group));
        }

        @Override
        public void kill(int broker) {
            cluster.stopNode(broker);
        }

        @Override
        public void restart(int broker) {
            cluster.startNode(broker);
        }

        @Override
        public String how() {
            return " (all its connections cut)";
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    /** In child processes. */
    record Apache(ApacheKafka kafka) implements StartedKafka {
        private static final int HEAP_MIB = 320;
        private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

        @Override
        public String bootstrapServers() {
            return kafka.bootstrapServers();
        }

        @Override
        public int groupCoordinator(String group) {
            return kafka.groupCoordinator(group);
        }

        @Override
        public void kill(int broker) {
            kafka.kill(broker);
        }

        @Override
        public void restart(int broker) {
            kafka.restart(broker);
        }

        @Override
        public String how() {
            return " (SIGKILL)";
        }

        @Override
        public void close() {
            kafka.close();
        }
    }
}
