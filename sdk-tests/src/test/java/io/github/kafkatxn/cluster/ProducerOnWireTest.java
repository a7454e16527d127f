package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.fault.FaultRule;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario C43: what an unmodified producer sends when its transactions follow each other at once, and when they are
 * empty.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // Whether a record was delivered comes with the commit.
class ProducerOnWireTest extends OneProducer {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSendRightAfterACommitWaitsForTheMarkers(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        FaultRule markers = cluster.faults().onTransaction(ID).holdBeforeMarkers();
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            send(producer, "first");
            producer.commitTransaction();
            markers.awaitHit();

            producer.beginTransaction();
            Future<RecordMetadata> second = send(producer, "second");
            Awaitility.await().until(() -> isToldToWait(cluster));
            assertThat(second.isDone()).isFalse();
            markers.release();
            second.get();
            assertThat(read(cluster)).containsExactly("first");
            producer.abortTransaction();

            producer.beginTransaction();
            send(producer, "third");
            producer.commitTransaction();
        }
        assertThat(read(cluster)).containsExactly("first", "third");
        assertThat(cluster.requests().on(ApiKeys.INIT_PRODUCER_ID).count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anEmptyTransactionIsNotEndedOnTheWire(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.abortTransaction();
            assertThat(ends(cluster)).isZero();

            producer.beginTransaction();
            send(producer, "one");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);

            producer.beginTransaction();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);

            producer.beginTransaction();
            send(producer, "two");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(2);
        }
        assertThat(read(cluster)).containsExactly("one", "two");
        assertThat(cluster.requests().on(ApiKeys.INIT_PRODUCER_ID).count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSendThatNeverLeavesLeavesNothingToEnd(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            refuseTooLarge(producer);
            producer.abortTransaction();

            producer.beginTransaction();
            refuseTooLarge(producer);
            assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
            producer.abortTransaction();

            producer.beginTransaction();
            assertThatThrownBy(() -> send(producer, BAD)).isInstanceOf(SerializationException.class);
            producer.abortTransaction();

            // The client has nothing against this one, which is why the SDK has.
            producer.beginTransaction();
            assertThatThrownBy(() -> send(producer, BAD)).isInstanceOf(SerializationException.class);
            producer.commitTransaction();
            assertThat(ends(cluster)).isZero();
            assertThat(cluster.requests().on(ApiKeys.PRODUCE).count()).isZero();

            producer.beginTransaction();
            send(producer, "good");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);
        }
        assertThat(read(cluster)).containsExactly("good");
    }

    /** Whether the coordinator, or the leader that has asked it, has said that the last one is not complete yet. */
    private static boolean isToldToWait(ReferenceCluster cluster) {
        return cluster.requests().onAny().fromClients().answered().list().stream()
                .flatMap(request -> request.answer().stream())
                .anyMatch(answer -> (answer instanceof ProduceResponseData produced
                                && DataRequests.only(produced).errorCode() == Errors.CONCURRENT_TRANSACTIONS.code())
                        || (answer instanceof AddPartitionsToTxnResponseData added
                                && added.resultsByTopicV3AndBelow().stream()
                                        .flatMap(topic -> topic.resultsByPartition().stream())
                                        .anyMatch(partition -> partition.partitionErrorCode()
                                                == Errors.CONCURRENT_TRANSACTIONS.code())));
    }

    private static int ends(ReferenceCluster cluster) {
        return cluster.requests().on(ApiKeys.END_TXN).count();
    }

    private static void refuseTooLarge(KafkaProducer<String, String> producer) {
        Future<RecordMetadata> refused = send(producer, "x".repeat(2_000));
        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
    }
}
