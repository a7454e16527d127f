package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CorrelationIdMismatchException;
import org.junit.jupiter.api.Test;

/** What an answer says, and what it does not say. That requests are right, the reference cluster tells. */
class TxnShareAcknowledgeTest {
    private static final Uuid TOPIC = new Uuid(1, 2);
    private static final TopicIdPartition FIRST = new TopicIdPartition(TOPIC, 0, "t");
    private static final TopicIdPartition SECOND = new TopicIdPartition(TOPIC, 1, "t");
    private static final TxnShareAcknowledge REQUEST = new TxnShareAcknowledge(
            new TransactionalIdentity("id", 1, (short) 2),
            new ShareMember("g", "m", 3),
            Map.of(FIRST, List.of(), SECOND, List.of()));

    @Test
    void eachPartitionHasItsError() {
        assertThat(REQUEST.read(answer(Errors.NONE, Errors.NONE, Errors.INVALID_RECORD_STATE), 7))
                .isEqualTo(Map.of(FIRST, Errors.NONE, SECOND, Errors.INVALID_RECORD_STATE));
    }

    /** It may be staged or not: nothing may be made of that. */
    @Test
    void aPartitionThatIsNotMentionedIsNoSuccess() {
        assertThat(REQUEST.read(answer(Errors.NONE, Errors.NONE), 7))
                .isEqualTo(Map.of(FIRST, Errors.NONE, SECOND, Errors.UNKNOWN_SERVER_ERROR));
    }

    @Test
    void anErrorOfTheRequestIsOneOfAllPartitions() {
        assertThat(REQUEST.read(answer(Errors.STALE_MEMBER_EPOCH, Errors.NONE), 7))
                .isEqualTo(Map.of(FIRST, Errors.STALE_MEMBER_EPOCH, SECOND, Errors.STALE_MEMBER_EPOCH));
    }

    @Test
    void anAnswerToSomethingElseIsNotRead() {
        assertThatThrownBy(() -> REQUEST.read(answer(Errors.NONE, Errors.NONE, Errors.NONE), 8))
                .isInstanceOf(CorrelationIdMismatchException.class);
    }

    @Test
    void anAnswerThatIsCutOffIsNotRead() {
        ByteBuffer whole = answer(Errors.NONE, Errors.NONE, Errors.NONE);
        for (int length = 0; length < whole.limit(); length++) {
            ByteBuffer part = whole.duplicate().limit(length);
            assertThatThrownBy(() -> REQUEST.read(part, 7))
                    .as("%s bytes", length)
                    .isInstanceOf(RuntimeException.class);
        }
    }

    /** As the draft has it, with words and with a tag that nobody knows. */
    private static ByteBuffer answer(Errors ofAll, Errors... ofPartitions) {
        ByteBuffer bytes = ByteBuffer.allocate(200);
        bytes.putInt(7).put((byte) 0).putInt(0).putShort(ofAll.code());
        bytes.put((byte) 2).putLong(1).putLong(2);
        bytes.put((byte) (ofPartitions.length + 1));
        for (int index = 0; index < ofPartitions.length; index++) {
            bytes.putInt(index).putShort(ofPartitions[index].code());
            bytes.put((byte) (index + 1)).put(new byte[index]);
            bytes.put((byte) 1).put((byte) 99).put((byte) 3).put(new byte[3]);
        }
        bytes.put((byte) 0).put((byte) 0);
        return bytes.flip();
    }
}
