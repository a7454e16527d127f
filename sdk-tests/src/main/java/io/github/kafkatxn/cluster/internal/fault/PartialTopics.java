package io.github.kafkatxn.cluster.internal.fault;

import java.util.Map;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** The keys that have an error for each topic. */
final class PartialTopics {
    static final Map<Short, Partial<?, ?>> BY_KEY = Map.of(
            ApiKeys.CREATE_TOPICS.id, new Create(),
            ApiKeys.CREATE_PARTITIONS.id, new Enlarge(),
            ApiKeys.DELETE_TOPICS.id, new Delete(),
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS.id, new Describe());

    private PartialTopics() {}

    private static final class Create extends Partial<CreateTopicsRequestData, CreateTopicsResponseData> {
        Create() {
            super(CreateTopicsRequestData.class, CreateTopicsResponseData.class);
        }

        @Override
        boolean keep(CreateTopicsRequestData request, Parts parts) {
            request.topics().removeIf(topic -> !parts.contains(topic.name(), Named.WHOLE_TOPIC));
            return !request.topics().isEmpty();
        }

        @Override
        void merge(CreateTopicsResponseData into, CreateTopicsResponseData errors) {
            errors.topics().forEach(topic -> into.topics().add(topic.duplicate()));
        }
    }

    private static final class Enlarge extends Partial<CreatePartitionsRequestData, CreatePartitionsResponseData> {
        Enlarge() {
            super(CreatePartitionsRequestData.class, CreatePartitionsResponseData.class);
        }

        @Override
        boolean keep(CreatePartitionsRequestData request, Parts parts) {
            request.topics().removeIf(topic -> !parts.contains(topic.name(), Named.WHOLE_TOPIC));
            return !request.topics().isEmpty();
        }

        @Override
        void merge(CreatePartitionsResponseData into, CreatePartitionsResponseData errors) {
            into.results().addAll(errors.results());
        }
    }

    private static final class Delete extends Partial<DeleteTopicsRequestData, DeleteTopicsResponseData> {
        Delete() {
            super(DeleteTopicsRequestData.class, DeleteTopicsResponseData.class);
        }

        @Override
        boolean keep(DeleteTopicsRequestData request, Parts parts) {
            request.topics().removeIf(topic -> !parts.contains(topic.name(), topic.topicId(), Named.WHOLE_TOPIC));
            request.topicNames().removeIf(topic -> !parts.contains(topic, Named.WHOLE_TOPIC));
            return !request.topics().isEmpty() || !request.topicNames().isEmpty();
        }

        @Override
        void merge(DeleteTopicsResponseData into, DeleteTopicsResponseData errors) {
            errors.responses().forEach(topic -> into.responses().add(topic.duplicate()));
        }
    }

    private static final class Describe
            extends Partial<DescribeTopicPartitionsRequestData, DescribeTopicPartitionsResponseData> {
        Describe() {
            super(DescribeTopicPartitionsRequestData.class, DescribeTopicPartitionsResponseData.class);
        }

        @Override
        boolean keep(DescribeTopicPartitionsRequestData request, Parts parts) {
            request.topics().removeIf(topic -> !parts.contains(topic.name(), Named.WHOLE_TOPIC));
            return !request.topics().isEmpty();
        }

        @Override
        void merge(DescribeTopicPartitionsResponseData into, DescribeTopicPartitionsResponseData errors) {
            errors.topics().forEach(topic -> into.topics().add(topic.duplicate()));
        }
    }
}
