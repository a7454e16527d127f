package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareFixture.ACCEPT;
import static io.github.kafkatxn.cluster.ShareFixture.GROUP;
import static io.github.kafkatxn.cluster.ShareFixture.ID;
import static io.github.kafkatxn.cluster.ShareFixture.IN;
import static io.github.kafkatxn.cluster.ShareFixture.REJECT;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareFixture.Member;
import io.github.kafkatxn.cluster.ShareFixture.Worker;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may not acknowledge what in a transaction (KIP-1289), and how that is said. */
@Timeout(60)
class TransactionalShareRefusalsTest {
    @Test
    void whoHoldsNoLockStagesNothing() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 3);
            Member member = fixture.join("m");
            Member other = fixture.join("other");
            Member current = fixture.refreshed(member);
            Identity producer = fixture.producer();
            fixture.acquire(current, IN, 2);
            assertThat(fixture.stage(other, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.acknowledge(current, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            // Done with, and below the window: silence would double the output of whoever was too slow.
            assertThat(fixture.stage(current, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(current, producer, IN, 0, 1, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(current, producer, IN, 7, 7, ACCEPT)).isEqualTo(Errors.INVALID_REQUEST);
            assertThat(fixture.stage(current, producer, IN, 1, 1, 4)).isEqualTo(Errors.INVALID_REQUEST);
            fixture.clock.advance(Duration.ofSeconds(30));
            assertThat(fixture.stage(current, producer, IN, 1, 1, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
        }
    }

    @Test
    void theMemberIsCheckedWithTheGroupCoordinator() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Worker worker = fixture.working(1);
            assertThat(fixture.stage(new Member("nobody", 1), worker.producer(), IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(fixture.stage(new Member("m", worker.member().epoch() - 1), worker.producer(), IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.STALE_MEMBER_EPOCH);
            fixture.leave(worker.member());
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
        }
    }

    @Test
    void theProducerIsCheckedWithTheTransactionCoordinator() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 2);
            Member member = fixture.join("m");
            Identity old = fixture.producer();
            fixture.acquire(member, IN, 2);
            Identity producer = fixture.producer();
            assertThat(fixture.stage(member, old, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
            assertThat(fixture.stage(member, producer.with(99_999), IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
            assertThat(fixture.states()).containsExactly(ACQUIRED, ACQUIRED);

            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            FaultRule held = fixture.cluster.faults().onTransaction(ID).holdBeforeMarkers();
            fixture.coordinator().end(5, ID, producer, true);
            held.awaitHit();
            assertThat(fixture.stageOnce(member, producer.at(producer.epoch() + 1), IN, 1, 1, ACCEPT))
                    .isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
            held.release();
            fixture.coordinator().settled(ID);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
        }
    }

    @Test
    void aProducerThatIsFencedWhileItsAcknowledgementsAreStagedHasNoPartInTheEnd() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Worker worker = fixture.working(1);
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            Identity next = fixture.producer();
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.coordinator().end(5, ID, worker.producer(), true).error())
                    .isEqualTo(Errors.PRODUCER_FENCED);
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
            assertThat(fixture.stage(worker.member(), next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.end(next, true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    @Test
    void unknownTopicsAndOtherNodesAreNamed() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            TxnShareAcknowledge.Request known = fixture.request(member, producer, IN, 0, 0, ACCEPT);
            int other = (fixture.cluster.leader(IN) + 1) % 3;
            assertThat(ShareFixture.error(fixture.at(other).send(0, known, TxnShareAcknowledge.Response.class)))
                    .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
            TxnShareAcknowledge.Request unknown = new TxnShareAcknowledge.Request(
                    ID,
                    GROUP,
                    producer.producerId(),
                    producer.epoch(),
                    member.id(),
                    member.epoch(),
                    List.of(new TxnShareAcknowledge.Topic(
                            Uuid.randomUuid(), known.topics().get(0).partitions())));
            assertThat(ShareFixture.error(fixture.at(0).send(0, unknown, TxnShareAcknowledge.Response.class)))
                    .isEqualTo(Errors.UNKNOWN_TOPIC_ID);
        }
    }

    @Test
    void theSameRequestAgainIsAnsweredTheSame() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Worker worker = fixture.working(2);
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(worker, 0, 0, REJECT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(worker, 0, 1, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.acknowledge(worker.member(), IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            fixture.end(worker.producer(), true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    @Test
    void clustersThatAreLikeReleasedOnesKnowNothingOfIt() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start();
                RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().apiKeys().find(TxnShareAcknowledge.KEY))
                    .isNull();
            assertThat(client.apiVersions()
                            .finalizedFeatures()
                            .find("share.version")
                            .maxVersionLevel())
                    .isEqualTo((short) 2);
            client.write(new TxnShareAcknowledge.Request("id", "g", 0, (short) 0, "m", 0, List.of()), 0);
            assertThat(client.isClosedByNode()).isTrue();
        }
    }
}
