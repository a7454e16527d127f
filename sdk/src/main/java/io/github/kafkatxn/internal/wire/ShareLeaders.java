package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/**
 * Which brokers lead share partitions: asked for when it is first needed or has turned out to be wrong. For one thread
 * at a time.
 */
final class ShareLeaders {
    /** The leaders of some, and what keeps the cluster from saying those of others. */
    record Found(Map<TopicIdPartition, Node> leaders, Map<TopicIdPartition, ApiException> failures) {}

    private final BrokerConnections connections;
    private final IdleCache<TopicIdPartition, Node> known;

    ShareLeaders(BrokerConnections connections, Duration maxIdle) {
        this.connections = connections;
        this.known = new IdleCache<>(maxIdle);
    }

    /** Somebody else leads it now, or nobody. */
    void forget(TopicIdPartition partition) {
        known.forget(partition);
    }

    /**
     * Looks up, and asks for what is not known; that is one question to one broker.
     *
     * @param partitions of topics whose ids are known
     * @param deadline when to give up
     * @return of each partition the leader, or why it has not been said
     */
    Found find(Collection<TopicIdPartition> partitions, Deadline deadline) {
        Found found = new Found(new HashMap<>(), new HashMap<>());
        Set<TopicIdPartition> toAsk = new LinkedHashSet<>();
        for (TopicIdPartition partition : partitions) {
            Node leader = known.use(partition);
            if (leader == null) {
                toAsk.add(partition);
            } else {
                found.leaders().put(partition, leader);
            }
        }
        if (!toAsk.isEmpty()) {
            ask(toAsk, found, deadline);
        }
        return found;
    }

    private void ask(Set<TopicIdPartition> partitions, Found found, Deadline deadline) {
        List<String> names =
                partitions.stream().map(TopicIdPartition::topic).distinct().toList();
        // By name, since a broker says of an id only that it does not know it, which may be because it is too new.
        MetadataResponse answer = (MetadataResponse) connections
                .ask(null, new MetadataRequest.Builder(names, false), deadline)
                .responseBody();
        Map<Integer, Node> brokers = answer.brokersById();
        for (TopicIdPartition partition : partitions) {
            MetadataResponseTopic topic = answer.data().topics().find(partition.topic());
            Errors error = topic == null ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.forCode(topic.errorCode());
            if (topic == null || error != Errors.NONE) {
                found.failures().put(partition, Refusals.of(error, partition.topic()));
            } else if (!topic.topicId().equals(partition.topicId())) {
                found.failures().put(partition, gone(partition));
            } else {
                Node leader = brokers.get(leaderId(topic, partition.partition()));
                if (leader == null) {
                    found.failures()
                            .put(
                                    partition,
                                    Errors.LEADER_NOT_AVAILABLE.exception(
                                            partition.topicPartition() + " has no leader at the moment"));
                } else {
                    known.learn(partition, leader);
                    found.leaders().put(partition, leader);
                }
            }
        }
    }

    private static int leaderId(MetadataResponseTopic topic, int partition) {
        return topic.partitions().stream()
                .filter(each -> each.partitionIndex() == partition)
                .findFirst()
                .map(MetadataResponsePartition::leaderId)
                .orElse(MetadataResponse.NO_LEADER_ID);
    }

    private static ApiException gone(TopicIdPartition partition) {
        return new InvalidRecordStateException("topic recreated: " + partition.topic() + " with the id "
                + partition.topicId() + " was deleted and created again, its records are gone. Do not send their"
                + " acknowledgements again.");
    }
}
