package io.github.kafkatxn.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.internal.client.ShareConsumerInternals.Taken;
import io.github.kafkatxn.share.ShareAcknowledgements.Batch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ranges of offsets, as they go over the wire. */
class ShareAcknowledgementsTest {
    private static final TopicIdPartition PARTITION = new TopicIdPartition(Uuid.ONE_UUID, 0, "t");

    @Test
    void offsetsThatFollowEachOtherAreOneBatch() {
        SortedMap<Long, @Nullable AcknowledgeType> types = new TreeMap<>();
        types.put(3L, AcknowledgeType.ACCEPT);
        types.put(4L, AcknowledgeType.ACCEPT);
        types.put(6L, AcknowledgeType.REJECT);
        types.put(7L, null);
        types.put(8L, AcknowledgeType.RELEASE);
        types.put(Long.MAX_VALUE, null);
        ConsumerRecord<String, String> record = new ConsumerRecord<>("t", 0, 3, "", "");
        ShareAcknowledgements acknowledgements =
                new ShareAcknowledgements(Map.of(PARTITION, new Taken<>(1, types, List.of(record))), this);

        assertThat(acknowledgements.batches())
                .containsExactly(Map.entry(
                        PARTITION,
                        List.of(
                                new Batch(3, 4, bytes(1)),
                                new Batch(6, 8, bytes(3, 0, 2)),
                                new Batch(Long.MAX_VALUE, Long.MAX_VALUE, bytes(0)))));
        assertThat(acknowledgements.records()).isOne();
        assertThat(acknowledgements.isEmpty()).isFalse();
    }

    @Test
    void nothingIsNothing() {
        ShareAcknowledgements none = new ShareAcknowledgements(Map.of(), this);
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.records()).isZero();
    }

    private static List<Byte> bytes(int... values) {
        return Arrays.stream(values).mapToObj(value -> (byte) value).toList();
    }
}
