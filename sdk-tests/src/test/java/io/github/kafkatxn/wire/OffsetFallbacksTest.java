package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By name where it cannot be by id, all or nothing, and why is told. */
@Timeout(60)
@WithKafka
class OffsetFallbacksTest {

    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void aCoordinatorWithoutVersion6GetsNames(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN, OTHER);

            assertThat(fixture.versions()).containsExactly(5);
            assertThat(fixture.paths()).containsExactly(OffsetsPath.OLD_COORDINATOR);
            assertThat(topics(fixture.commits().get(0))).isEqualTo(2);
        }
    }

    /** It would add nothing to the transaction. */
    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:4")
    void aCoordinatorWithoutVersion5IsRefused(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(error.cause()).isInstanceOf(UnsupportedVersionException.class);
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(fixture.commits()).isEmpty();
            assertThat(transaction.abort().isSuccess()).isTrue();
        }
    }

    @Test
    void aTopicWithoutAnIdMakesAllGoByName(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("other")
                    .everyTime()
                    .changeAnswer(
                            MetadataResponseData.class,
                            answer -> answer.topics().find("other").setTopicId(Uuid.ZERO_UUID));
            fixture.commit(5, IN, OTHER);
            fixture.commit(6, IN);

            assertThat(fixture.committed(OTHER)).isEqualTo(5);
            assertThat(fixture.versions()).containsExactly(5, 6);
            assertThat(fixture.paths()).containsExactly(OffsetsPath.TOPIC_WITHOUT_ID, OffsetsPath.TOPIC_IDS);
        }
    }

    @Test
    @WithKafka(apiCaps = "METADATA:9")
    void aClusterWithoutTopicIdsGetsNames(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            cluster.requests().clear();
            fixture.commit(6, IN);

            assertThat(fixture.versions()).containsExactly(5);
            assertThat(cluster.requests()
                            .on(ApiKeys.METADATA)
                            .clientId("producer-id")
                            .count())
                    .as("that there are none is remembered, too")
                    .isZero();
        }
    }

    /** By then the name may be that of another topic, which would take the offsets of this one. */
    @Test
    void aTopicThatHadAnIdNeverGoesByName(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).answerWith(Errors.UNKNOWN_TOPIC_ID);
            cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("in")
                    .times(2)
                    .changeAnswer(
                            MetadataResponseData.class,
                            answer -> answer.topics().find("in").setTopicId(Uuid.ZERO_UUID));
            fixture.commit(6, IN);

            assertThat(fixture.versions()).containsExactly(6, 6, 6);
        }
    }

    /** One node of a cluster that is being updated. */
    @Test
    @WithKafka(nodes = 3)
    void inAMixedClusterTheCoordinatorDecides(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            int coordinator = cluster.leader(cluster.groupPartition(OffsetsFixture.GROUP));
            int old = (coordinator + 1) % 3;
            cluster.faults()
                    .on(ApiKeys.API_VERSIONS)
                    .node(old)
                    .everyTime()
                    .changeAnswer(
                            ApiVersionsResponseData.class,
                            answer -> answer.apiKeys()
                                    .find(ApiKeys.TXN_OFFSET_COMMIT.id)
                                    .setMaxVersion((short) 5));
            fixture.commit(5, IN);
            cluster.moveGroupCoordinator(OffsetsFixture.GROUP, old);
            fixture.commit(6, IN);
            cluster.moveGroupCoordinator(OffsetsFixture.GROUP, coordinator);
            fixture.commit(7, IN);

            assertThat(fixture.paths())
                    .containsExactly(OffsetsPath.TOPIC_IDS, OffsetsPath.OLD_COORDINATOR, OffsetsPath.TOPIC_IDS);
        }
    }

    /** The version of transactions is that of the cluster: a node that has not heard of it yet changes nothing. */
    @Test
    @WithKafka(nodes = 3)
    void inAMixedClusterANodeWithoutVersion2DecidesNothing(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            int coordinator = cluster.leader(cluster.groupPartition(OffsetsFixture.GROUP));
            int old = (coordinator + 1) % 3;
            FaultRule without = cluster.faults()
                    .on(ApiKeys.API_VERSIONS)
                    .node(old)
                    .fromClients()
                    .everyTime()
                    .changeAnswer(ApiVersionsResponseData.class, answer -> {
                        answer.finalizedFeatures().clear();
                        answer.setFinalizedFeaturesEpoch(-1);
                    });
            fixture.commit(5, IN);
            cluster.moveGroupCoordinator(OffsetsFixture.GROUP, old);
            fixture.commit(6, IN);

            assertThat(without.hits()).isPositive();
            assertThat(fixture.committed(IN)).isEqualTo(6);
            assertThat(fixture.paths()).containsOnly(OffsetsPath.TOPIC_IDS);
        }
    }

    private static int topics(LoggedRequest request) {
        return ((TxnOffsetCommitRequestData) request.request()).topics().size();
    }
}
