package io.github.kafkatxn.cluster.internal.txn;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;

/** Partitions as requests have them: by topic. */
final class TxnTopics {
    private TxnTopics() {}

    static Map<String, List<Integer>> byTopic(Collection<TopicPartition> partitions) {
        return partitions.stream()
                .collect(Collectors.groupingBy(
                        TopicPartition::topic,
                        TreeMap::new,
                        Collectors.mapping(TopicPartition::partition, Collectors.toList())));
    }

    static AddPartitionsToTxnTopicCollection toRequest(Collection<TopicPartition> partitions) {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        byTopic(partitions)
                .forEach((name, indexes) ->
                        topics.add(new AddPartitionsToTxnTopic().setName(name).setPartitions(indexes)));
        return topics;
    }
}
