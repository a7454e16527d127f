package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests about offsets of groups. */
final class OffsetRequests {
    private OffsetRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "TxnOffsetCommit",
                        "id pid e g topic stale p offset gen member instance metadata",
                        OffsetRequests::commitInTransaction),
                new Verb("OffsetCommit", "g topic stale p offset gen member instance metadata", OffsetRequests::commit),
                new Verb("OffsetFetch", "g topic stale p gen member stable all", OffsetRequests::fetch));
    }

    /** {@code TxnOffsetCommit v5 p0 offset=7 gen=-1 member=m}. */
    private static String commitInTransaction(Step step, Names names, Wire wire) throws IOException {
        List<TxnOffsetCommitRequestPartition> partitions = step.partitions().stream()
                .map(partition -> new TxnOffsetCommitRequestPartition()
                        .setPartitionIndex(partition)
                        .setCommittedOffset(step.number("offset", 0))
                        .setCommittedMetadata("m".repeat(step.number("metadata", 0))))
                .toList();
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setTransactionalId(names.transactionalId(step))
                .setGroupId(names.group(step))
                .setProducerId(names.producerId(step))
                .setProducerEpoch(names.epoch(step))
                .setGenerationIdOrMemberEpoch(step.number("gen", -1))
                .setGroupInstanceId(step.value("instance").orElse(null))
                .setMemberId(names.member(step))
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(names.topic(step))
                        .setTopicId(names.topicId(step))
                        .setPartitions(partitions)));
        Map<Integer, Short> errors = new TreeMap<>();
        wire.ask(request, step.version(), TxnOffsetCommitResponseData.class)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode())));
        return Words.errors(errors);
    }

    /** {@code OffsetCommit v9 p0 offset=7 gen=-1 member=m}. */
    private static String commit(Step step, Names names, Wire wire) throws IOException {
        List<OffsetCommitRequestPartition> partitions = step.partitions().stream()
                .map(partition -> new OffsetCommitRequestPartition()
                        .setPartitionIndex(partition)
                        .setCommittedOffset(step.number("offset", 0))
                        .setCommittedMetadata("m".repeat(step.number("metadata", 0))))
                .toList();
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(names.group(step))
                .setGenerationIdOrMemberEpoch(step.number("gen", -1))
                .setGroupInstanceId(step.value("instance").orElse(null))
                .setMemberId(names.member(step))
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName(names.topic(step))
                        .setTopicId(names.topicId(step))
                        .setPartitions(partitions)));
        Map<Integer, Short> errors = new TreeMap<>();
        wire.ask(request, step.version(), OffsetCommitResponseData.class)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode())));
        return Words.errors(errors);
    }

    /** {@code OffsetFetch v8 p0 stable}; {@code all} asks for all partitions. */
    private static String fetch(Step step, Names names, Wire wire) throws IOException {
        OffsetFetchRequestData request = new OffsetFetchRequestData().setRequireStable(step.has("stable"));
        return step.version() < 8 ? fetchOne(request, step, names, wire) : fetchMany(request, step, names, wire);
    }

    private static String fetchOne(OffsetFetchRequestData request, Step step, Names names, Wire wire)
            throws IOException {
        List<OffsetFetchRequestTopic> topics = List.of(
                new OffsetFetchRequestTopic().setName(names.topic(step)).setPartitionIndexes(step.partitions()));
        request.setGroupId(names.group(step)).setTopics(step.has("all") ? null : topics);
        OffsetFetchResponseData answer = wire.ask(request, step.version(), OffsetFetchResponseData.class);
        if (answer.errorCode() != 0) {
            return Errors.forCode(answer.errorCode()).name();
        }
        Map<Integer, String> words = new TreeMap<>();
        answer.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> words.put(
                                partition.partitionIndex(),
                                words(partition.errorCode(), partition.committedOffset()))));
        return Words.of(words);
    }

    private static String fetchMany(OffsetFetchRequestData request, Step step, Names names, Wire wire)
            throws IOException {
        List<OffsetFetchRequestTopics> topics = List.of(new OffsetFetchRequestTopics()
                .setName(names.topic(step))
                .setTopicId(names.topicId(step))
                .setPartitionIndexes(step.partitions()));
        OffsetFetchRequestGroup group =
                new OffsetFetchRequestGroup().setGroupId(names.group(step)).setTopics(step.has("all") ? null : topics);
        if (step.value("member").isPresent()) {
            group.setMemberId(names.member(step)).setMemberEpoch(step.number("gen", -1));
        }
        request.setGroups(List.of(group));
        OffsetFetchResponseGroup answer = wire.ask(request, step.version(), OffsetFetchResponseData.class)
                .groups()
                .get(0);
        if (answer.errorCode() != 0) {
            return Errors.forCode(answer.errorCode()).name();
        }
        Map<Integer, String> words = new TreeMap<>();
        answer.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> words.put(
                                partition.partitionIndex(),
                                words(partition.errorCode(), partition.committedOffset()))));
        return Words.of(words);
    }

    private static String words(short error, long offset) {
        return Errors.forCode(error) + " @" + offset;
    }
}
