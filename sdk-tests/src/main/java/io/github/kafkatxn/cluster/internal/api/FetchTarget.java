package io.github.kafkatxn.cluster.internal.api;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** A partition that a client fetches: how it last asked for it and, in a session, what it was last told of it. */
final class FetchTarget {
    private static final long NOTHING = -1;

    private final Key key;
    private @Nullable String topic;
    private FetchPartition asked;
    private long toldHighWatermark = NOTHING;
    private long toldStartOffset = NOTHING;

    /**
     * What a request calls a partition.
     *
     * @param topicId the id of the topic, zero before version 13
     * @param topic its name, empty from version 13 on
     * @param partition the number of the partition
     */
    record Key(Uuid topicId, String topic, int partition) {
        boolean hasId() {
            return !topicId.equals(Uuid.ZERO_UUID);
        }
    }

    FetchTarget(Key key, @Nullable String topic, FetchPartition asked) {
        this.key = key;
        this.topic = topic;
        this.asked = asked;
    }

    Key key() {
        return key;
    }

    /** The name of the topic, null as long as its id is not known here. */
    @Nullable
    String topic() {
        return topic;
    }

    /** The partition; only if its topic is known. */
    TopicPartition partition() {
        if (topic == null) {
            throw new IllegalStateException("the topic of " + key + " is not known");
        }
        return new TopicPartition(topic, key.partition());
    }

    FetchPartition asked() {
        return asked;
    }

    void ask(FetchPartition again) {
        asked = again;
    }

    void resolve(@Nullable String name) {
        if (topic == null) {
            topic = name;
        }
    }

    /** Whether there is anything new in it for the client. Takes it as told. */
    boolean tell(FetchResponseData.PartitionData data) {
        boolean moved = toldHighWatermark != data.highWatermark() || toldStartOffset != data.logStartOffset();
        boolean failed = data.errorCode() != Errors.NONE.code();
        // An error is told again and again, and what comes after it is news.
        toldHighWatermark = failed ? NOTHING : data.highWatermark();
        toldStartOffset = data.logStartOffset();
        return moved
                || failed
                || data.records().sizeInBytes() > 0
                || data.divergingEpoch().endOffset() != NOTHING;
    }
}
