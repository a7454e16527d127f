package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * Makes input offsets part of the transactions of a producer, by topic id where the cluster can (KIP-1319), over
 * connections of its own. Ids and coordinators are remembered, so that it is one round trip where nothing has changed.
 *
 * <p>For one call at a time; {@link #close} may come from another thread.
 */
public final class TransactionalOffsets {
    private final BrokerConnections connections;
    private final GroupCoordinators coordinators;
    private final TopicIds topics;
    private final Repeats repeats;

    /**
     * Makes what is needed; connects when it is first used.
     *
     * @param producerProperties those of the producer, as they are given to {@code KafkaProducer}
     */
    public TransactionalOffsets(Map<String, Object> producerProperties) {
        AbstractConfig config = BrokerConnections.config(producerProperties);
        Duration maxIdle = Duration.ofMillis(config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG));
        this.connections = BrokerConnections.open(config);
        this.coordinators = new GroupCoordinators(connections, maxIdle);
        this.topics = new TopicIds(connections, maxIdle);
        this.repeats = new Repeats(config, connections::pause);
    }

    /**
     * Sends offsets and waits until all are accepted.
     *
     * @param producer whose open transaction, of version 2
     * @param offsets at least one
     * @param group the consumer's group metadata
     * @param topicIds the ids of the topics that the offsets are of, as far as they are known
     * @param deadline when to give up
     * @param onRetry told why a request is sent again
     * @return how they went out
     * @throws RefusedPartitionsException what was said of which partition
     * @throws RuntimeException why nobody could be asked
     */
    public OffsetsRoute send(
            TransactionalIdentity producer,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline,
            Consumer<RuntimeException> onRetry) {
        return new OffsetsCall(connections, coordinators, topics, producer, group, offsets, topicIds, deadline)
                .run(repeats, onRetry);
    }

    /**
     * Ends a call that is under way, the connections and their thread.
     *
     * @param deadline until when to wait for the thread
     */
    public void close(Deadline deadline) {
        connections.close(deadline);
    }
}
