package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * Makes acknowledgements of share consumers part of the transactions of a producer (KIP-1289), over connections of its
 * own. Leaders and what they can do are remembered, so that it is one round trip where nothing has changed.
 *
 * <p>For one call at a time; {@link #close} may come from another thread.
 */
public final class TransactionalShareAcknowledgements {
    private final BrokerConnections connections;
    private final LeaderConnections leaderConnections;
    private final ShareLeaders leaders;
    private final Repeats repeats;

    /**
     * Makes what is needed; connects when it is first used.
     *
     * @param producerProperties those of the producer, as they are given to {@code KafkaProducer}
     */
    public TransactionalShareAcknowledgements(Map<String, Object> producerProperties) {
        AbstractConfig config = BrokerConnections.config(producerProperties);
        Duration maxIdle = Duration.ofMillis(config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG));
        this.connections = BrokerConnections.open(config);
        try {
            this.leaderConnections = new LeaderConnections(config);
        } catch (RuntimeException e) {
            connections.close(Deadline.in(Duration.ZERO));
            throw e;
        }
        this.leaders = new ShareLeaders(connections, maxIdle);
        this.repeats = new Repeats(config, connections::pause);
    }

    /**
     * Sends acknowledgements and waits until all are accepted.
     *
     * @param producer whose open transaction, of version 2
     * @param member who acknowledges
     * @param batches at least one partition
     * @param deadline when to give up
     * @param beforeFirst run once, before anything is sent that may become part of the transaction
     * @param onRetry told why requests are sent again
     * @throws MissingCapabilityException if a leader cannot do it, and nothing has been sent
     * @throws RefusedPartitionsException what was said of which partition
     * @throws RuntimeException why nobody could be asked
     */
    public void send(
            TransactionalIdentity producer,
            ShareMember member,
            Map<TopicIdPartition, List<ShareBatch>> batches,
            Deadline deadline,
            Runnable beforeFirst,
            Consumer<RuntimeException> onRetry) {
        new ShareAcknowledgementsCall(leaderConnections, leaders, producer, member, batches, beforeFirst, deadline)
                .run(repeats, onRetry);
    }

    /**
     * Ends a call that is under way, the connections and their thread.
     *
     * @param deadline until when to wait for that
     */
    public void close(Deadline deadline) {
        leaderConnections.close(deadline);
        connections.close(deadline);
    }
}
