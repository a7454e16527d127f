package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class BareFailuresTest {
    @Test
    void givesBackTheTypeThatTheTextNames() {
        assertThat(typed("Unexpected error in InitProducerIdResponse; ", Errors.INVALID_TRANSACTION_TIMEOUT))
                .isInstanceOf(InvalidTxnTimeoutException.class)
                .hasMessageContaining("Unexpected error in InitProducerIdResponse; ");
        assertThat(typed("Unexpected error in TxnOffsetCommitResponse: ", Errors.TOPIC_AUTHORIZATION_FAILED))
                .isInstanceOf(TopicAuthorizationException.class);
        assertThat(typed("Unexpected error in TxnOffsetCommitResponse: ", Errors.OFFSET_METADATA_TOO_LARGE))
                .isInstanceOf(OffsetMetadataTooLarge.class);
    }

    @Test
    void everyErrorHasATextOfItsOwn() {
        for (Errors error : Errors.values()) {
            if (error != Errors.NONE) {
                Throwable typed = typed("Unexpected error in AddOffsetsToTxnResponse: ", error);
                assertThat(typed.getClass())
                        .as(error.name())
                        .isEqualTo(error.exception().getClass());
                assertThat(typed.getSuppressed()).as(error.name()).hasSize(1);
            }
        }
    }

    @Test
    void leavesEverythingElseAsItIs() {
        for (Throwable failure : new Throwable[] {
            new KafkaException("something else"),
            new KafkaException("Unexpected error in InitProducerIdResponse; of a kind nobody knows"),
            new KafkaException(),
            new TimeoutException(
                    "Unexpected error in InitProducerIdResponse; " + Errors.INVALID_TRANSACTION_TIMEOUT.message())
        }) {
            assertThat(BareFailures.typed(failure)).isSameAs(failure);
        }
    }

    private static Throwable typed(String prefix, Errors error) {
        return BareFailures.typed(new KafkaException(prefix + error.message()));
    }
}
