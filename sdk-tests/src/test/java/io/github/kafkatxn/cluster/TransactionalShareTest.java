package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareFixture.ACCEPT;
import static io.github.kafkatxn.cluster.ShareFixture.GAP;
import static io.github.kafkatxn.cluster.ShareFixture.GROUP;
import static io.github.kafkatxn.cluster.ShareFixture.ID;
import static io.github.kafkatxn.cluster.ShareFixture.IN;
import static io.github.kafkatxn.cluster.ShareFixture.REJECT;
import static io.github.kafkatxn.cluster.ShareFixture.RELEASE;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACKNOWLEDGED;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.ARCHIVED;
import static io.github.kafkatxn.cluster.ShareRecord.State.AVAILABLE;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareFixture.Member;
import io.github.kafkatxn.cluster.ShareFixture.Places;
import io.github.kafkatxn.cluster.ShareFixture.Worker;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledgements in a producer's transaction (KIP-1289): what becomes of records of every type, at every end. */
@Timeout(60)
class TransactionalShareTest {
    /** Where the state partition is led: at the share partition's leader, or elsewhere; how the transaction ends. */
    static Stream<Arguments> ends() {
        return Stream.of(0, 1)
                .flatMap(stateLeader -> Stream.of("commit", "abort", "timeout")
                        .flatMap(end -> Stream.of(GAP, ACCEPT, RELEASE, REJECT)
                                .map(type -> Arguments.of(stateLeader, end, type))));
    }

    @ParameterizedTest(name = "state led by {0}, {1} of type {2}")
    @MethodSource("ends")
    void everyTypeAtEveryEnd(int stateLeader, String end, int type) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 2);
            Member member = fixture.join("m");
            fixture.place(new Places(0, stateLeader, 2, 1));
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 10);
            // The second record is acknowledged, the first one stays: it keeps the window where it is.
            assertThat(fixture.stage(member, producer, IN, 1, 1, type)).isEqualTo(Errors.NONE);
            assertThat(fixture.states()).containsExactly(ACQUIRED, TX_PENDING);

            if (end.equals("timeout")) {
                fixture.clock.advance(Duration.ofSeconds(61));
                fixture.await(() -> fixture.coordinator().state(ID).equals("CompleteAbort"));
            } else {
                fixture.end(producer, end.equals("commit"));
            }

            ShareRecord.State committed = switch (type) {
                case ACCEPT -> ACKNOWLEDGED;
                case RELEASE -> AVAILABLE;
                default -> ARCHIVED;
            };
            ShareRecord.State expected = end.equals("commit") ? committed : ACQUIRED;
            assertThat(fixture.records().get(1))
                    .isEqualTo(new ShareRecord(1, expected, expected == ACQUIRED ? "m" : "", 1, OptionalLong.empty()));
        }
    }

    @Test
    void aReleaseAtTheDeliveryLimitIsArchivedByTheCommit() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            for (int delivery = 1; delivery < 5; delivery++) {
                assertThat(fixture.acquire(member, IN, 1)).hasSize(1);
                assertThat(fixture.acknowledge(member, IN, 0, 0, RELEASE)).isEqualTo(Errors.NONE);
            }
            assertThat(fixture.acquire(member, IN, 1)).hasSize(1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, RELEASE)).isEqualTo(Errors.NONE);
            fixture.end(producer, true);
            assertThat(fixture.acquire(member, IN, 1)).isEmpty();
        }
    }

    @Test
    void theLockStandsStillWhileStagedAndGoesOnWithTheAbort() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Worker worker = fixture.working(1);
            fixture.clock.advance(Duration.ofSeconds(20));
            assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.clock.advance(Duration.ofSeconds(30));
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            Identity next = fixture.end(worker.producer(), false);
            fixture.clock.advance(Duration.ofSeconds(9));
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(fixture.refreshed(worker.member()), next, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.NONE);
            next = fixture.end(next, false);
            fixture.clock.advance(Duration.ofSeconds(1));
            assertThat(fixture.states()).containsExactly(AVAILABLE);
            assertThat(fixture.stage(worker.member(), next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
        }
    }

    @Test
    void stagedRecordsOutliveTheMembersSession() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 2);
            Member member = fixture.join("m");
            Member other = fixture.join("other");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 2);
            assertThat(fixture.stage(fixture.refreshed(member), producer, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.NONE);
            fixture.disconnect(fixture.cluster.leader(IN));
            fixture.leave(member);
            List<AcquiredRecords> acquired =
                    TransactionClient.waiting(() -> fixture.acquire(other, IN, 2), List::isEmpty);
            assertThat(acquired).singleElement().satisfies(range -> {
                assertThat(range.firstOffset()).isEqualTo(1);
                assertThat(range.lastOffset()).isEqualTo(1);
                assertThat(range.deliveryCount()).isEqualTo((short) 2);
            });
            fixture.end(producer, true);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
        }
    }

    @Test
    void twoTransactionsOnOnePartitionEndEachForItself() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 3);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            String second = "second";
            int node = fixture.at(0).coordinator(second, 1);
            Identity other = fixture.at(node).initialised(second, 60_000);
            fixture.acquire(member, IN, 3);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(stageAs(fixture, second, other, member, 1)).isEqualTo(Errors.NONE);
            assertThat(stageAs(fixture, second, other, member, 0)).isEqualTo(Errors.INVALID_RECORD_STATE);
            fixture.at(node).ended(5, second, other, false);
            fixture.at(node).settled(second);
            assertThat(fixture.states()).containsExactly(TX_PENDING, ACQUIRED, ACQUIRED);
            fixture.end(producer, true);
            assertThat(fixture.states()).containsExactly(ACQUIRED, ACQUIRED);
        }
    }

    private static Errors stageAs(ShareFixture fixture, String id, Identity producer, Member member, long offset) {
        TxnShareAcknowledge.Request mine = fixture.request(member, producer, IN, offset, offset, ACCEPT);
        TxnShareAcknowledge.Request request = new TxnShareAcknowledge.Request(
                id, GROUP, producer.producerId(), producer.epoch(), member.id(), member.epoch(), mine.topics());
        return ShareFixture.error(
                fixture.at(fixture.cluster.leader(IN)).send(0, request, TxnShareAcknowledge.Response.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void severalMembersAndGapsInOneTransaction(boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(2)) {
            fixture.produce(0, 4);
            fixture.produce(1, 2);
            TopicPartition second = new TopicPartition("in", 1);
            Member first = fixture.join("m1");
            Member other = fixture.join("m2");
            first = fixture.refreshed(first);
            Identity producer = fixture.producer();
            fixture.acquire(first, IN, 2);
            fixture.acquire(other, IN, 2);
            fixture.acquire(first, second, 2);
            assertThat(fixture.stage(first, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(first, producer, IN, 1, 1, GAP)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(other, producer, IN, 2, 3, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(first, producer, second, 0, 1, REJECT)).isEqualTo(Errors.NONE);
            fixture.end(producer, commit);
            assertThat(fixture.records()).hasSize(commit ? 0 : 4).allMatch(record -> record.state() == ACQUIRED);
            assertThat(fixture.cluster.shareRecords(GROUP, second))
                    .hasSize(commit ? 0 : 2)
                    .allMatch(record -> record.state() == ACQUIRED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tenThousandRecordsInFlight(boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(4)) {
            for (int partition = 0; partition < 4; partition++) {
                ShareClients.produceMany(fixture.cluster.bootstrapServers(), "in", partition, 2_500);
            }
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            for (int partition = 0; partition < 4; partition++) {
                TopicPartition in = new TopicPartition("in", partition);
                while (fixture.cluster.shareRecords(GROUP, in).size() < 2_500) {
                    fixture.acquire(member, in, 2_500);
                }
                assertThat(fixture.stage(member, producer, in, 0, 2_499, ACCEPT))
                        .isEqualTo(Errors.NONE);
            }
            fixture.end(producer, commit);
            for (int partition = 0; partition < 4; partition++) {
                assertThat(fixture.cluster.shareRecords(GROUP, new TopicPartition("in", partition)))
                        .hasSize(commit ? 0 : 2_500)
                        .allMatch(record -> record.state() == ACQUIRED);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void producersOfTransactionVersion1StageToo(boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Worker worker = fixture.working(1);
            for (int round = 0; round < 2; round++) {
                assertThat(fixture.stage(worker, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
                boolean commits = commit && round == 1;
                assertThat(fixture.coordinator()
                                .end(4, ID, worker.producer(), commits)
                                .error())
                        .isEqualTo(Errors.NONE);
                fixture.coordinator().settled(ID);
                assertThat(fixture.states()).isEqualTo(commits ? List.of() : List.of(ACQUIRED));
            }
        }
    }
}
