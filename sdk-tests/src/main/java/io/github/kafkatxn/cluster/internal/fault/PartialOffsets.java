package io.github.kafkatxn.cluster.internal.fault;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** The keys that ask about partitions, or cut them, with an error for each. */
final class PartialOffsets {
    static final Map<Short, Partial<?, ?>> BY_KEY = Map.of(
            ApiKeys.OFFSET_FOR_LEADER_EPOCH.id, new EndOfEpoch(),
            ApiKeys.DELETE_RECORDS.id, new DeleteRecords(),
            ApiKeys.DESCRIBE_PRODUCERS.id, new Producers());

    private PartialOffsets() {}

    private static final class EndOfEpoch
            extends Partial<OffsetForLeaderEpochRequestData, OffsetForLeaderEpochResponseData> {
        EndOfEpoch() {
            super(OffsetForLeaderEpochRequestData.class, OffsetForLeaderEpochResponseData.class);
        }

        @Override
        boolean keep(OffsetForLeaderEpochRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic ->
                            topic.partitions().removeIf(part -> !parts.contains(topic.topic(), part.partition())));
            request.topics().removeIf(topic -> topic.partitions().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(OffsetForLeaderEpochResponseData into, OffsetForLeaderEpochResponseData errors) {
            errors.topics().forEach(topic -> {
                var same = into.topics().find(topic.topic());
                if (same == null) {
                    into.topics().add(topic.duplicate());
                } else {
                    same.partitions().addAll(topic.partitions());
                }
            });
        }
    }

    private static final class DeleteRecords extends Partial<DeleteRecordsRequestData, DeleteRecordsResponseData> {
        DeleteRecords() {
            super(DeleteRecordsRequestData.class, DeleteRecordsResponseData.class);
        }

        @Override
        boolean keep(DeleteRecordsRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic ->
                            topic.partitions().removeIf(part -> !parts.contains(topic.name(), part.partitionIndex())));
            request.topics().removeIf(topic -> topic.partitions().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(DeleteRecordsResponseData into, DeleteRecordsResponseData errors) {
            errors.topics().forEach(topic -> {
                var same = into.topics().find(topic.name());
                if (same == null) {
                    into.topics().add(topic.duplicate());
                } else {
                    topic.partitions().forEach(part -> same.partitions().add(part.duplicate()));
                }
            });
        }
    }

    private static final class Producers extends Partial<DescribeProducersRequestData, DescribeProducersResponseData> {
        Producers() {
            super(DescribeProducersRequestData.class, DescribeProducersResponseData.class);
        }

        @Override
        boolean keep(DescribeProducersRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic -> topic.partitionIndexes().removeIf(part -> !parts.contains(topic.name(), part)));
            request.topics().removeIf(topic -> topic.partitionIndexes().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(DescribeProducersResponseData into, DescribeProducersResponseData errors) {
            Partials.mergeInto(
                    into.topics(),
                    errors.topics(),
                    (one, other) -> one.name().equals(other.name()),
                    (one, other) -> one.partitions().addAll(other.partitions()));
        }
    }

    /** The groups are asked all the same: what is wrong with a group goes before what is wrong with a partition. */
    static void fetch(Flow flow, Partial.Parts parts, Errors error) {
        OffsetFetchRequestData asked =
                (OffsetFetchRequestData) flow.exchange().request().body();
        OffsetFetchRequestData rest = asked.duplicate();
        if (rest.topics() != null) {
            rest.topics()
                    .forEach(topic -> topic.partitionIndexes().removeIf(part -> parts.contains(topic.name(), part)));
            rest.topics().removeIf(topic -> topic.partitionIndexes().isEmpty());
        }
        rest.groups().stream()
                .filter(group -> group.topics() != null)
                .map(OffsetFetchRequestData.OffsetFetchRequestGroup::topics)
                .forEach(topics -> {
                    topics.forEach(topic -> topic.partitionIndexes()
                            .removeIf(part -> parts.contains(topic.name(), topic.topicId(), part)));
                    topics.removeIf(topic -> topic.partitionIndexes().isEmpty());
                });
        flow.handle(rest, outcome -> {
            outcome.answer()
                    .map(OffsetFetchResponseData.class::cast)
                    .ifPresent(answer -> refuse(asked, answer, parts, error));
            flow.finish(outcome);
        });
    }

    private static void refuse(
            OffsetFetchRequestData asked, OffsetFetchResponseData answer, Partial.Parts parts, Errors error) {
        if (asked.topics() != null && answer.errorCode() == Errors.NONE.code()) {
            List<OffsetFetchResponseTopic> refused = asked.topics().stream()
                    .map(topic -> refused(topic, parts, error))
                    .filter(topic -> !topic.partitions().isEmpty())
                    .toList();
            Partials.mergeInto(
                    answer.topics(),
                    refused,
                    (one, other) -> one.name().equals(other.name()),
                    (one, other) -> one.partitions().addAll(other.partitions()));
        }
        for (OffsetFetchResponseGroup group : answer.groups()) {
            if (group.errorCode() == Errors.NONE.code()) {
                List<OffsetFetchResponseTopics> refused = asked.groups().stream()
                        .filter(one -> one.groupId().equals(group.groupId()) && one.topics() != null)
                        .flatMap(one -> one.topics().stream())
                        .map(topic -> refused(topic, parts, error))
                        .filter(topic -> !topic.partitions().isEmpty())
                        .toList();
                Partials.mergeInto(
                        group.topics(),
                        refused,
                        (one, other) -> one.topicId().equals(other.topicId())
                                && (one.name().equals(other.name()) || !isZero(one.topicId())),
                        (one, other) -> one.partitions().addAll(other.partitions()));
            }
        }
    }

    private static boolean isZero(Uuid topicId) {
        return topicId.equals(Uuid.ZERO_UUID);
    }

    private static OffsetFetchResponseTopic refused(OffsetFetchRequestTopic topic, Partial.Parts parts, Errors error) {
        return new OffsetFetchResponseTopic()
                .setName(topic.name())
                .setPartitions(topic.partitionIndexes().stream()
                        .filter(part -> parts.contains(topic.name(), part))
                        .map(part -> new OffsetFetchResponsePartition()
                                .setPartitionIndex(part)
                                .setCommittedOffset(-1)
                                .setMetadata("")
                                .setErrorCode(error.code()))
                        .toList());
    }

    private static OffsetFetchResponseTopics refused(
            OffsetFetchRequestTopics topic, Partial.Parts parts, Errors error) {
        return new OffsetFetchResponseTopics()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitions(topic.partitionIndexes().stream()
                        .filter(part -> parts.contains(topic.name(), topic.topicId(), part))
                        .map(part -> new OffsetFetchResponsePartitions()
                                .setPartitionIndex(part)
                                .setCommittedOffset(-1)
                                .setMetadata("")
                                .setErrorCode(error.code()))
                        .toList());
    }
}
