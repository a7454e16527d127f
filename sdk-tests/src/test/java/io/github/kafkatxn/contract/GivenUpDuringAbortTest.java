package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The delivery timeout of a record passes while its transaction is being aborted already. Under transaction version 1
 * kafka-clients 4.4.0 then waits for a new epoch that nobody asks for: begin says at once that only another producer
 * helps.
 */
class GivenUpDuringAbortTest {

    @Test
    @WithKafka(transactionVersion = 1)
    void underVersion1TheProducerIsLostAndSaysSo(ReferenceCluster cluster) {
        try (TransactionalProducer<String, String> producer = afterSuchAnAbort(cluster)) {
            TxnError error = producer.beginTransaction().error().orElseThrow();

            assertThat(error.action()).isEqualTo(Action.RECREATE);
            assertThat(error.message()).contains("has not asked for the new epoch");
            try (TransactionalProducer<String, String> next =
                    producer.recreate().orElseThrow()) {
                assertGoesOn(next);
            }
        }
    }

    @Test
    @WithKafka(transactionVersion = 2)
    void underVersion2ItGoesOn(ReferenceCluster cluster) {
        try (TransactionalProducer<String, String> producer = afterSuchAnAbort(cluster)) {
            assertGoesOn(producer);
        }
    }

    private static TransactionalProducer<String, String> afterSuchAnAbort(ReferenceCluster cluster) {
        ProducerSettings settings = ProducerSettings.builder()
                .bootstrapServers(cluster.bootstrapServers())
                .transactionalId("id")
                // Half of the way through the second attempt.
                .property("delivery.timeout.ms", 1_500)
                .property("request.timeout.ms", 1_000)
                .build();
        TransactionalProducer<String, String> producer =
                TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
        producer.init().orElseThrow();
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        FaultRule lost = cluster.faults().on(ApiKeys.PRODUCE).everyTime().dropBeforeHandling();
        Thread owner = Thread.currentThread();
        CompletableFuture<Void> givenUp = new CompletableFuture<>();
        // The client completes the record first and then notes its loss.
        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>("out", "lost"), (metadata, failure) -> {
            givenUp.complete(null);
            Awaitility.await().until(() -> isAborting(owner));
        });
        givenUp.join();
        transaction.abort().orElseThrow();
        assertThat(failure(sent)).containsInstanceOf(TimeoutException.class);
        lost.remove();
        return producer;
    }

    /** The client has been asked for the abort, and its answer is waited for. */
    private static boolean isAborting(Thread owner) {
        return Arrays.stream(owner.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .anyMatch("await"::equals);
    }

    private static void assertGoesOn(TransactionalProducer<String, String> producer) {
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>("out", "next"));
        transaction.commit().orElseThrow();
        assertThat(failure(sent)).isEmpty();
    }
}
