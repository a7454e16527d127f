package io.github.kafkatxn.cluster.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every verb and trigger, with requests that any node answers. */
@Timeout(30)
@WithKafka
class FaultPlanTest {

    @Test
    void answersWithAnErrorOnce(ReferenceCluster cluster) throws IOException {
        FaultRule rule = cluster.faults().on(ApiKeys.INIT_PRODUCER_ID).answerWith(Errors.COORDINATOR_NOT_AVAILABLE);
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(init(client)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
            assertThat(client.initialized("t").errorCode()).isZero();
        }
        assertThat(rule.hits()).isOne();
        assertThat(cluster.requests().on(ApiKeys.INIT_PRODUCER_ID).list().get(0).fault())
                .hasValueSatisfying(text -> assertThat(text).contains("COORDINATOR_NOT_AVAILABLE"));
    }

    @Test
    void countsCalls(ReferenceCluster cluster) throws IOException {
        cluster.faults().on(ApiKeys.API_VERSIONS).onCall(3).answerWith(Errors.UNKNOWN_SERVER_ERROR);
        cluster.faults().on(ApiKeys.API_VERSIONS).times(2).answerWith(Errors.REQUEST_TIMED_OUT);
        FaultRule all = cluster.faults().on(ApiKeys.API_VERSIONS).everyTime().observe();
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().errorCode()).isEqualTo(Errors.REQUEST_TIMED_OUT.code());
            assertThat(client.apiVersions().errorCode()).isEqualTo(Errors.REQUEST_TIMED_OUT.code());
            assertThat(client.apiVersions().errorCode()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
            assertThat(client.apiVersions().errorCode()).isZero();
        }
        all.awaitHits(4);
    }

    @Test
    void rulesOfOneKeyTakeTurns(ReferenceCluster cluster) throws IOException {
        cluster.faults().on(ApiKeys.API_VERSIONS).answerWith(Errors.REQUEST_TIMED_OUT);
        cluster.faults().on(ApiKeys.API_VERSIONS).answerWith(Errors.UNKNOWN_SERVER_ERROR);
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().errorCode()).isEqualTo(Errors.REQUEST_TIMED_OUT.code());
            assertThat(client.apiVersions().errorCode()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
            assertThat(client.apiVersions().errorCode()).isZero();
        }
    }

    @Test
    void holdsUntilReleased(ReferenceCluster cluster) throws IOException {
        FaultRule rule =
                cluster.faults().on(ApiKeys.API_VERSIONS).clientId("raw").hold();
        try (RawClient client = RawClient.of(cluster);
                RawClient other = RawClient.of(cluster)) {
            client.write(RawClient.versionsRequest(), 3);
            rule.awaitHit();

            assertThat(other.apiVersions().errorCode()).isZero();
            assertThat(client.hearsNothing()).isTrue();
            rule.release();

            assertThat(client.read(RawClient.versionsRequest(), 3, ApiVersionsResponseData.class)
                            .errorCode())
                    .isZero();
        }
    }

    @Test
    void whatIsHeldGoesOnWhenItsRuleIsRemoved(ReferenceCluster cluster) throws IOException {
        FaultRule rule = cluster.faults().on(ApiKeys.API_VERSIONS).everyTime().holdAnswer();
        try (RawClient client = RawClient.of(cluster)) {
            client.write(RawClient.versionsRequest(), 3);
            rule.awaitHit();
            rule.remove();

            client.read(RawClient.versionsRequest(), 3, ApiVersionsResponseData.class);
            assertThat(client.apiVersions().errorCode()).isZero();
        }
        assertThat(rule.hits()).isOne();
        assertThat(cluster.faults().rules()).isEmpty();
    }

    @Test
    void anAnswerThatIsLostWasGiven(ReferenceCluster cluster) throws IOException {
        try (RawClient before = RawClient.of(cluster);
                RawClient lost = RawClient.of(cluster)) {
            InitProducerIdResponseData first = before.initialized("t");
            FaultRule rule = cluster.faults()
                    .on(ApiKeys.INIT_PRODUCER_ID)
                    .transactionalId("t")
                    .dropAfterHandling();
            lost.write(RawClient.init("t"), 4);
            rule.awaitHit();

            assertThat(before.initialized("t").producerEpoch()).isEqualTo((short) (first.producerEpoch() + 2));
            assertThat(lost.hearsNothing()).isTrue();
            lost.write(RawClient.versionsRequest(), 3);
            assertThat(lost.hearsNothing()).isTrue();
        }
    }

    @Test
    void aRequestThatIsLostIsNotHandled(ReferenceCluster cluster) throws IOException {
        try (RawClient before = RawClient.of(cluster);
                RawClient lost = RawClient.of(cluster)) {
            InitProducerIdResponseData first = before.initialized("t");
            FaultRule rule = cluster.faults().on(ApiKeys.INIT_PRODUCER_ID).dropBeforeHandling();
            lost.write(RawClient.init("t"), 4);
            rule.awaitHit();

            assertThat(before.initialized("t").producerEpoch()).isEqualTo((short) (first.producerEpoch() + 1));
            assertThat(lost.hearsNothing()).isTrue();
        }
    }

    @Test
    void closesBeforeOrAfterHandling(ReferenceCluster cluster) throws IOException {
        try (RawClient other = RawClient.of(cluster);
                RawClient first = RawClient.of(cluster);
                RawClient second = RawClient.of(cluster)) {
            short epoch = other.initialized("t").producerEpoch();
            cluster.faults().on(ApiKeys.INIT_PRODUCER_ID).closeBeforeHandling();
            cluster.faults().on(ApiKeys.INIT_PRODUCER_ID).closeAfterHandling();

            first.write(RawClient.init("t"), 4);
            assertThat(first.isClosedByNode()).isTrue();
            second.write(RawClient.init("t"), 4);
            assertThat(second.isClosedByNode()).isTrue();

            assertThat(other.initialized("t").producerEpoch()).isEqualTo((short) (epoch + 2));
        }
    }

    @Test
    void handlesTwice(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            short epoch = client.initialized("t").producerEpoch();
            cluster.faults().on(ApiKeys.INIT_PRODUCER_ID).handleTwice();

            assertThat(client.initialized("t").producerEpoch()).isEqualTo((short) (epoch + 2));
        }
    }

    @Test
    void delaysRequestsAndAnswers(ReferenceCluster cluster) throws IOException {
        cluster.faults().on(ApiKeys.API_VERSIONS).delay(Duration.ofMillis(5));
        cluster.faults().on(ApiKeys.API_VERSIONS).delayAnswer(Duration.ofMillis(5));
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().errorCode()).isZero();
            assertThat(client.apiVersions().errorCode()).isZero();
        }
    }

    @Test
    void changesAnAnswer(ReferenceCluster cluster) throws IOException {
        cluster.faults()
                .on(ApiKeys.API_VERSIONS)
                .where(
                        ApiVersionsRequestData.class,
                        request -> request.clientSoftwareName().equals("raw"))
                .changeAnswer(ApiVersionsResponseData.class, answer -> answer.setThrottleTimeMs(77));
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().throttleTimeMs()).isEqualTo(77);
        }
    }

    @Test
    void aSelectorThatCannotApplyIsRefusedByName(ReferenceCluster cluster) {
        FaultPlan faults = cluster.faults();

        assertThatThrownBy(() -> faults.on(ApiKeys.PRODUCE).group("g"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a Produce request names no group; it can be selected by transactionalId, topic, topicId,"
                        + " partition, node, clientId, version, fromClients, fromNodes, where");
        assertThatThrownBy(() -> faults.on(ApiKeys.END_TXN).partition(0)).hasMessageContaining("names no partition");
        assertThatThrownBy(() -> faults.on(ApiKeys.END_TXN).version(6)).hasMessageContaining("there are 0 to 5");
        assertThatThrownBy(() -> faults.on(ApiKeys.END_TXN).node(1)).hasMessageContaining("0 to 0");
        assertThatThrownBy(() -> faults.on(ApiKeys.FETCH).where(EndTxnRequestData.class, request -> true))
                .hasMessageContaining("Fetch has a FetchRequestData, not a EndTxnRequestData");
        assertThatThrownBy(() -> faults.on(ApiKeys.END_TXN).answerAsOfNow()).hasMessageContaining("not for EndTxn");
        assertThatThrownBy(() -> faults.on(ApiKeys.END_TXN).times(0)).hasMessageContaining("1 or more");
        assertThat(faults.rules()).isEmpty();
    }

    @Test
    void anUnusedRuleIsNamed(ReferenceCluster cluster) {
        FaultRule unused = cluster.faults()
                .on(ApiKeys.END_TXN)
                .transactionalId("orders-0")
                .times(2)
                .dropAfterHandling();
        cluster.faults().on(ApiKeys.FETCH).topic("never").observe();

        assertThatThrownBy(() -> cluster.faults().verifyUsed())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("EndTxn, transactional id orders-0, 2 times: drop after handling")
                .hasMessageNotContaining("Fetch");

        unused.remove();
        cluster.faults().verifyUsed();
    }

    @Test
    void aSelectorThatThrowsIsToldAtTheEnd(ReferenceCluster cluster) throws IOException {
        FaultRule rule = cluster.faults()
                .on(ApiKeys.API_VERSIONS)
                .where(ApiVersionsRequestData.class, request -> {
                    throw new IllegalStateException("the test's own mistake");
                })
                .dropBeforeHandling();
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().errorCode()).isZero();
        }
        rule.remove();

        assertThatThrownBy(() -> cluster.faults().verifyUsed()).hasRootCauseMessage("the test's own mistake");
        cluster.faults().clear();
    }

    private static Errors init(RawClient client) throws IOException {
        return Errors.forCode(client.send(RawClient.init("t"), 4, InitProducerIdResponseData.class)
                .errorCode());
    }
}
