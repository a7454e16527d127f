package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Answers with an error for the partitions that are selected only, and with the truth for the others. */
final class PartialAnswers {
    private PartialAnswers() {}

    static void answer(Flow flow, Criteria selected, Errors error) {
        RequestFrame frame = flow.exchange().request();
        if (!selected.hasParts()) {
            flow.finish(ErrorAnswers.to(frame, error));
            return;
        }
        ClusterImage image = flow.exchange().image();
        Partial.Parts parts = (topic, id, partition) -> selected.isPart(image, topic, id, partition);
        short key = frame.format().key();
        if (key == ApiKeys.FETCH.id) {
            fetch(flow, parts, error);
        } else if (key == ApiKeys.OFFSET_FETCH.id) {
            PartialOffsets.fetch(flow, parts, error);
        } else if (key == ApiKeys.METADATA.id) {
            metadata(flow, parts, error);
        } else if (key == ApiKeys.ADD_PARTITIONS_TO_TXN.id) {
            addPartitions(flow, parts, error);
        } else {
            split(flow, parts, error);
        }
    }

    private static void split(Flow flow, Partial.Parts parts, Errors error) {
        RequestFrame frame = flow.exchange().request();
        Optional<Partial<?, ?>> partial = Partials.of(frame.format().key());
        ApiMessage rest = partial.<ApiMessage>map(
                        one -> one.only(frame.body(), (topic, id, part) -> !parts.contains(topic, id, part)))
                .orElse(null);
        if (partial.isEmpty() || rest == null) {
            flow.finish(ErrorAnswers.to(frame, error));
            return;
        }
        ApiMessage refused =
                partial.<ApiMessage>map(one -> one.only(frame.body(), parts)).orElse(frame.body());
        Outcome errors = ErrorAnswers.to(frame, refused, error);
        flow.handle(rest, outcome -> {
            outcome.answer()
                    .ifPresent(answer ->
                            errors.answer().ifPresent(more -> partial.get().mergeAny(answer, more)));
            boolean dropped = errors.answer().isEmpty();
            flow.finish(dropped ? errors : outcome);
        });
    }

    /** All of it is fetched, without waiting, because a session must not lose partitions; then some fail. */
    private static void fetch(Flow flow, Partial.Parts parts, Errors error) {
        FetchRequestData request = ((FetchRequestData) flow.exchange().request().body())
                .duplicate()
                .setMaxWaitMs(0);
        flow.handle(request, outcome -> {
            outcome.answer().ifPresent(answer -> failPartitions(request, (FetchResponseData) answer, parts, error));
            flow.finish(outcome);
        });
    }

    private static void failPartitions(
            FetchRequestData request, FetchResponseData answer, Partial.Parts parts, Errors error) {
        answer.responses()
                .forEach(topic -> topic.partitions()
                        .removeIf(part -> parts.contains(topic.topic(), topic.topicId(), part.partitionIndex())));
        answer.responses().removeIf(topic -> topic.partitions().isEmpty());
        request.topics()
                .forEach(topic -> topic.partitions().stream()
                        .filter(part -> parts.contains(topic.topic(), topic.topicId(), part.partition()))
                        .forEach(part -> answer.responses()
                                .add(new FetchResponseData.FetchableTopicResponse()
                                        .setTopic(topic.topic())
                                        .setTopicId(topic.topicId())
                                        .setPartitions(List.of(failed(part.partition(), error))))));
    }

    private static FetchResponseData.PartitionData failed(int partition, Errors error) {
        return new FetchResponseData.PartitionData()
                .setPartitionIndex(partition)
                .setErrorCode(error.code())
                .setHighWatermark(-1)
                .setRecords(MemoryRecords.EMPTY);
    }

    /** What a broker refuses to show, it names as it was asked for and not otherwise: by its name or by its id. */
    private static void metadata(Flow flow, Partial.Parts parts, Errors error) {
        List<MetadataRequestTopic> asked =
                ((MetadataRequestData) flow.exchange().request().body()).topics();
        flow.handle(outcome -> {
            outcome.answer().map(MetadataResponseData.class::cast).ifPresent(answer -> {
                List<MetadataResponseTopic> refused = answer.topics().stream()
                        .filter(topic -> parts.contains(topic.name(), topic.topicId(), Named.WHOLE_TOPIC))
                        .toList();
                answer.topics().removeAll(refused);
                refused.forEach(topic -> answer.topics().mustAdd(refused(topic, asked, error)));
            });
            flow.finish(outcome);
        });
    }

    private static MetadataResponseTopic refused(
            MetadataResponseTopic topic, @Nullable List<MetadataRequestTopic> asked, Errors error) {
        boolean byId = asked != null
                && asked.stream()
                        .anyMatch(one -> one.name() == null && one.topicId().equals(topic.topicId()));
        return new MetadataResponseTopic()
                .setName(byId ? null : topic.name())
                .setTopicId(byId ? topic.topicId() : Uuid.ZERO_UUID)
                .setIsInternal(!byId && topic.isInternal())
                .setErrorCode(error.code());
    }

    /** As a coordinator has it: one partition that fails keeps the others from being added. */
    private static void addPartitions(Flow flow, Partial.Parts parts, Errors error) {
        Outcome outcome = ErrorAnswers.to(flow.exchange().request(), error);
        outcome.answer().map(AddPartitionsToTxnResponseData.class::cast).ifPresent(answer -> {
            notAttempted(answer.resultsByTopicV3AndBelow(), parts);
            answer.resultsByTransaction().forEach(one -> notAttempted(one.topicResults(), parts));
        });
        flow.finish(outcome);
    }

    private static void notAttempted(AddPartitionsToTxnTopicResultCollection topics, Partial.Parts parts) {
        topics.forEach(topic -> topic.resultsByPartition().forEach(part -> {
            if (!parts.contains(topic.name(), part.partitionIndex())) {
                part.setPartitionErrorCode(Errors.OPERATION_NOT_ATTEMPTED.code());
            }
        }));
    }
}
