package io.github.kafkatxn.cluster.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** The bounds of the log, and questions to it. */
class RequestsTest {
    private final Requests log = new Requests(2, 3, 1000);

    @Test
    void theOldestAreForgottenWhenThereAreTooMany() {
        for (int i = 0; i < 5; i++) {
            add("t" + i, 10);
        }
        assertThat(log.list()).extracting("number").containsExactly(3L, 4L, 5L);
        assertThat(log.forgotten()).isEqualTo(2);
    }

    @Test
    void theOldestAreForgottenWhenTheyAreTooBig() {
        add("t0", 900);
        add("t1", 100);
        assertThat(log.list()).hasSize(2);
        add("t2", 1);
        assertThat(log.list()).extracting("number").containsExactly(2L, 3L);
        log.clear();
        add("t3", 999);
        assertThat(log.list()).hasSize(1);
        assertThat(log.forgotten()).isOne();
    }

    @Test
    void isAskedByWhatRequestsName() {
        add("t0", 1);
        Entry second = add("t1", 1);

        assertThat(log.on(ApiKeys.END_TXN).transactionalId("t1").list()).containsExactly(second);
        assertThat(log.onAny().transactionalId("t1").fromNodes().node(1).count())
                .isOne();
        assertThat(log.onAny().group("g").count()).isZero();
        assertThat(log.on(ApiKeys.END_TXN).answered().count()).isZero();
        second.answered(new EndTxnResponseData());
        assertThat(log.on(ApiKeys.END_TXN).answered().await()).isSameAs(second);
        assertThatThrownBy(() -> log.on(ApiKeys.END_TXN).topic("t")).hasMessageContaining("names no topic");
    }

    private Entry add(String transactionalId, int size) {
        RequestFrame frame = new RequestFrame(
                MessageFormat.of(ApiKeys.END_TXN.id).orElseThrow(),
                (short) 5,
                1,
                "client",
                new EndTxnRequestData().setTransactionalId(transactionalId));
        return log.add(new Seen(1, OptionalInt.of(0), frame, new Controller("c", Map.of()).image()), size);
    }
}
