package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A commit whose answer does not come, on the reference cluster: shown in the README. */
@Timeout(60)
class InDoubtCommitTest {

    // Whether it was delivered comes with the commit.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    @WithKafka
    void aCommitWithoutAnAnswerIsAskedForAgain(ReferenceCluster kafka) {
        var settings = ProducerSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .transactionalId("payments-1")
                .callTimeout(Duration.ofSeconds(2))
                .build();
        try (var producer = TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new)) {
            producer.init().orElseThrow();
            var transaction = producer.beginTransaction().orElseThrow();
            transaction.send(new ProducerRecord<>("payments", "42", "100 EUR"));
            FaultRule answer = kafka.faults().on(ApiKeys.END_TXN).holdAnswer();
            assertThat(transaction.commit().error().orElseThrow().action()).isEqualTo(Action.RETRY_CALL);
            answer.release();
            assertThat(transaction.commit().isSuccess()).isTrue();
        }
    }
}
