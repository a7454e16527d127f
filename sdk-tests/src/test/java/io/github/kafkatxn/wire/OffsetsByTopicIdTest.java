package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.IN_1;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.group;
import static io.github.kafkatxn.wire.OffsetsFixture.offsets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Offsets go out by topic id, in one round trip a transaction, and what went out is what was given (KIP-1319). */
@Timeout(30)
@WithKafka
class OffsetsByTopicIdTest {

    @Test
    void offsetsGoOutByTopicId(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN, IN_1, OTHER);

            assertThat(fixture.versions()).containsExactly(6);
            assertThat(fixture.paths()).containsExactly(OffsetsPath.TOPIC_IDS);
            assertThat(data(fixture.commits().get(0)).topics())
                    .extracting(topic -> topic.topicId())
                    .containsExactlyInAnyOrder(fixture.topicId("in"), fixture.topicId("other"));
        }
    }

    /** Metadata, coordinator and versions are asked for with the first transaction, and then no more. */
    @Test
    void thereIsNoRoundTripBesideTheThreeOfATransaction(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            copy(fixture, 1);
            cluster.requests().clear();
            for (int i = 2; i <= 10; i++) {
                copy(fixture, i);
            }

            List<LoggedRequest> requests =
                    cluster.requests().onAny().fromClients().clientId("producer-id").list().stream()
                            .filter(request -> !isRepeated(request))
                            .toList();
            assertThat(requests.stream().filter(request -> request.is(ApiKeys.TXN_OFFSET_COMMIT)))
                    .hasSize(9);
            assertThat(requests.stream().map(LoggedRequest::api).distinct())
                    .containsExactlyInAnyOrder("Produce", "TxnOffsetCommit", "EndTxn");
            assertThat(requests).hasSize(27);
        }
    }

    @Test
    void everythingOfAnOffsetAndOfTheGroupGoesOut(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            transaction.sendOffsetsToTransaction(
                    Map.of(IN, new OffsetAndMetadata(7, Optional.of(3), "é")), groupMetadata());

            TxnOffsetCommitRequestData sent = data(fixture.commits().get(0));
            assertThat(sent.transactionalId()).isEqualTo("id");
            assertThat(sent.groupId()).isEqualTo("group");
            assertThat(sent.memberId()).isEqualTo("member");
            assertThat(sent.groupInstanceId()).isEqualTo("instance");
            assertThat(sent.generationIdOrMemberEpoch()).isEqualTo(4);
            var partition = sent.topics().get(0).partitions().get(0);
            assertThat(partition.committedOffset()).isEqualTo(7);
            assertThat(partition.committedLeaderEpoch()).isEqualTo(3);
            assertThat(partition.committedMetadata()).isEqualTo("é");
        }
    }

    /** Of offsets alone the client knows nothing; they have to be ended as well. */
    @Test
    void offsetsAloneAreEndedOnTheBroker(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            Transaction<String, String> aborted = fixture.begin();
            aborted.sendOffsetsToTransaction(offsets(6, IN), OffsetsFixture.group())
                    .orElseThrow();
            aborted.abort().orElseThrow();

            assertThat(cluster.requests().on(ApiKeys.END_TXN).count()).isEqualTo(2);
            assertThat(fixture.committed(IN)).isEqualTo(5);
        }
    }

    @Test
    void noOffsetsMeansNoRequest(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            transaction
                    .sendOffsetsToTransaction(Map.of(), OffsetsFixture.group())
                    .orElseThrow();
            transaction.commit().orElseThrow();

            assertThat(fixture.commits()).isEmpty();
            assertThat(cluster.requests().on(ApiKeys.END_TXN).count()).isZero();
        }
    }

    @Test
    void metadataThatCannotBeEncodedIsRefusedBeforeAnythingIsSent(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = transaction
                    .sendOffsetsToTransaction(
                            Map.of(
                                    IN, new OffsetAndMetadata(5, "é".repeat(16_384)),
                                    OTHER, new OffsetAndMetadata(5, "é".repeat(2_000))),
                            OffsetsFixture.group())
                    .error()
                    .orElseThrow();

            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.partitions()).containsOnlyKeys(IN);
            assertThat(fixture.commits()).isEmpty();
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** It is thrown, and whoever catches it cannot commit without the offsets. */
    @Test
    void anErrorLeavesATransactionThatCanOnlyBeAborted(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            OffsetAndMetadata offset = new OffsetAndMetadata(5) {
                @Override
                public String metadata() {
                    throw new OutOfMemoryError("no more of it");
                }
            };
            assertThatThrownBy(() -> transaction.sendOffsetsToTransaction(Map.of(IN, offset), group()))
                    .isInstanceOf(OutOfMemoryError.class);

            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    @Test
    @WithKafka(transactionVersion = 1)
    void transactionsOfVersion1AreLeftToTheClient(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);

            assertThat(fixture.versions()).containsExactly(4);
            assertThat(fixture.paths()).containsExactly(OffsetsPath.TRANSACTION_VERSION_1);
            assertThat(cluster.requests().on(ApiKeys.ADD_OFFSETS_TO_TXN).count())
                    .isOne();
        }
    }

    private static void copy(OffsetsFixture fixture, long offset) {
        Transaction<String, String> transaction = fixture.begin();
        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>("out", "value"));
        transaction
                .sendOffsetsToTransaction(offsets(offset, IN, OTHER), OffsetsFixture.group())
                .orElseThrow();
        transaction.commit().orElseThrow();
        assertThat(sent).isDone();
    }

    /** One that has met the end of the transaction before, which the benchmark's two producers in turn avoid. */
    private static boolean isRepeated(LoggedRequest request) {
        return String.valueOf(request.answer()).contains("errorCode=51");
    }

    private static TxnOffsetCommitRequestData data(LoggedRequest request) {
        return (TxnOffsetCommitRequestData) request.request();
    }

    @SuppressWarnings("removal") // The only way to say what no consumer would say.
    private static ConsumerGroupMetadata groupMetadata() {
        return new ConsumerGroupMetadata("group", 4, "member", Optional.of("instance"));
    }
}
