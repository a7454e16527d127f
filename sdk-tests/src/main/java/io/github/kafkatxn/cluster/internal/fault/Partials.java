package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** The keys whose requests can be done in part, the rest getting an error. */
final class Partials {
    private static final Map<Short, Partial<?, ?>> BY_KEY = Map.of(
            ApiKeys.PRODUCE.id, new Produce(),
            ApiKeys.LIST_OFFSETS.id, new ListOffsets(),
            ApiKeys.OFFSET_COMMIT.id, new OffsetCommit(),
            ApiKeys.TXN_OFFSET_COMMIT.id, new TxnOffsetCommit(),
            ApiKeys.WRITE_TXN_MARKERS.id, new WriteTxnMarkers(),
            TxnShareAcknowledge.KEY, new ShareAcknowledgements());

    private Partials() {}

    static Optional<Partial<?, ?>> of(short key) {
        return Stream.of(BY_KEY, PartialOffsets.BY_KEY, PartialTopics.BY_KEY)
                .<Partial<?, ?>>mapMulti((some, found) -> {
                    if (some.containsKey(key)) {
                        found.accept(some.get(key));
                    }
                })
                .findFirst();
    }

    private static final class Produce extends Partial<ProduceRequestData, ProduceResponseData> {
        Produce() {
            super(ProduceRequestData.class, ProduceResponseData.class);
        }

        @Override
        boolean keep(ProduceRequestData request, Parts parts) {
            request.topicData()
                    .forEach(topic -> topic.partitionData()
                            .removeIf(part -> !parts.contains(topic.name(), topic.topicId(), part.index())));
            request.topicData().removeIf(topic -> topic.partitionData().isEmpty());
            return !request.topicData().isEmpty();
        }

        @Override
        void merge(ProduceResponseData into, ProduceResponseData errors) {
            errors.responses().forEach(topic -> {
                var same = into.responses().find(topic.name(), topic.topicId());
                if (same == null) {
                    into.responses().add(topic.duplicate());
                } else {
                    same.partitionResponses().addAll(topic.partitionResponses());
                }
            });
        }
    }

    private static final class ListOffsets extends Partial<ListOffsetsRequestData, ListOffsetsResponseData> {
        ListOffsets() {
            super(ListOffsetsRequestData.class, ListOffsetsResponseData.class);
        }

        @Override
        boolean keep(ListOffsetsRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic ->
                            topic.partitions().removeIf(part -> !parts.contains(topic.name(), part.partitionIndex())));
            request.topics().removeIf(topic -> topic.partitions().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(ListOffsetsResponseData into, ListOffsetsResponseData errors) {
            mergeInto(
                    into.topics(),
                    errors.topics(),
                    (one, other) -> one.name().equals(other.name()),
                    (one, other) -> one.partitions().addAll(other.partitions()));
        }
    }

    private static final class OffsetCommit extends Partial<OffsetCommitRequestData, OffsetCommitResponseData> {
        OffsetCommit() {
            super(OffsetCommitRequestData.class, OffsetCommitResponseData.class);
        }

        @Override
        boolean keep(OffsetCommitRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic -> topic.partitions()
                            .removeIf(part -> !parts.contains(topic.name(), topic.topicId(), part.partitionIndex())));
            request.topics().removeIf(topic -> topic.partitions().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(OffsetCommitResponseData into, OffsetCommitResponseData errors) {
            mergeInto(
                    into.topics(),
                    errors.topics(),
                    (one, other) ->
                            one.name().equals(other.name()) && one.topicId().equals(other.topicId()),
                    (one, other) -> one.partitions().addAll(other.partitions()));
        }
    }

    private static final class TxnOffsetCommit
            extends Partial<TxnOffsetCommitRequestData, TxnOffsetCommitResponseData> {
        TxnOffsetCommit() {
            super(TxnOffsetCommitRequestData.class, TxnOffsetCommitResponseData.class);
        }

        @Override
        boolean keep(TxnOffsetCommitRequestData request, Parts parts) {
            request.topics()
                    .forEach(topic -> topic.partitions()
                            .removeIf(part -> !parts.contains(topic.name(), topic.topicId(), part.partitionIndex())));
            request.topics().removeIf(topic -> topic.partitions().isEmpty());
            return !request.topics().isEmpty();
        }

        @Override
        void merge(TxnOffsetCommitResponseData into, TxnOffsetCommitResponseData errors) {
            mergeInto(
                    into.topics(),
                    errors.topics(),
                    (one, other) ->
                            one.name().equals(other.name()) && one.topicId().equals(other.topicId()),
                    (one, other) -> one.partitions().addAll(other.partitions()));
        }
    }

    private static final class ShareAcknowledgements
            extends Partial<TxnShareAcknowledge.Request, TxnShareAcknowledge.Response> {
        ShareAcknowledgements() {
            super(TxnShareAcknowledge.Request.class, TxnShareAcknowledge.Response.class);
        }

        @Override
        boolean keep(TxnShareAcknowledge.Request request, Parts parts) {
            return request.keep((topicId, partition) -> parts.contains(null, topicId, partition));
        }

        @Override
        void merge(TxnShareAcknowledge.Response into, TxnShareAcknowledge.Response errors) {
            into.add(errors.topics());
        }
    }

    private static final class WriteTxnMarkers
            extends Partial<WriteTxnMarkersRequestData, WriteTxnMarkersResponseData> {
        WriteTxnMarkers() {
            super(WriteTxnMarkersRequestData.class, WriteTxnMarkersResponseData.class);
        }

        @Override
        boolean keep(WriteTxnMarkersRequestData request, Parts parts) {
            request.markers().forEach(marker -> {
                marker.topics()
                        .forEach(topic ->
                                topic.partitionIndexes().removeIf(part -> !parts.contains(topic.name(), part)));
                marker.topics().removeIf(topic -> topic.partitionIndexes().isEmpty());
            });
            request.markers().removeIf(marker -> marker.topics().isEmpty());
            return !request.markers().isEmpty();
        }

        @Override
        void merge(WriteTxnMarkersResponseData into, WriteTxnMarkersResponseData errors) {
            mergeInto(
                    into.markers(),
                    errors.markers(),
                    (one, other) -> one.producerId() == other.producerId(),
                    (one, other) -> mergeInto(
                            one.topics(),
                            other.topics(),
                            (topic, same) -> topic.name().equals(same.name()),
                            (topic, same) -> topic.partitions().addAll(same.partitions())));
        }
    }

    /** Adds the parts of each to the same one there is already, and what is not there as it is. */
    static <T> void mergeInto(List<T> into, List<T> errors, BiPredicate<T, T> isSame, BiConsumer<T, T> addParts) {
        for (T error : errors) {
            into.stream()
                    .filter(there -> isSame.test(there, error))
                    .findFirst()
                    .ifPresentOrElse(there -> addParts.accept(there, error), () -> into.add(error));
        }
    }
}
