package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareFixture.GROUP;
import static io.github.kafkatxn.cluster.ShareFixture.ID;
import static io.github.kafkatxn.cluster.ShareFixture.IN;
import static io.github.kafkatxn.cluster.ShareFixture.OUT;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACKNOWLEDGED;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.ARCHIVED;
import static io.github.kafkatxn.cluster.ShareRecord.State.AVAILABLE;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareFixture.Member;
import io.github.kafkatxn.cluster.ShareFixture.Places;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledgements in a producer's transaction (KIP-1289): the flow of the KIP, all transitions, all refusals. */
@Timeout(60)
class TransactionalShareTest {
    private static final int GAP = 0;
    private static final int ACCEPT = 1;
    private static final int RELEASE = 2;
    private static final int REJECT = 3;

    /** Transaction coordinator, output leader, and one node for the share partition and its state, as in the KIP. */
    private static final Places AS_IN_THE_KIP = new Places(2, 2, 0, 1);

    @Test
    void theFlowOfTheKip() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            fixture.place(AS_IN_THE_KIP);
            TopicPartition state = fixture.cluster.sharePartition(GROUP, IN);
            Identity producer = fixture.producer();
            assertThat(fixture.acquire(member, IN, 10)).hasSize(1);

            assertThat(fixture.write(producer)).isEqualTo(Errors.NONE);
            assertThat(partitions(fixture)).containsExactly(OUT.toString());
            assertThat(fixture.states()).containsExactly(ACQUIRED);

            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(partitions(fixture)).containsExactly(state.toString(), OUT.toString());
            assertThat(fixture.records())
                    .containsExactly(new ShareRecord(0, TX_PENDING, "m", 1, OptionalLong.of(producer.producerId())));
            assertThat(fixture.cluster
                            .requests()
                            .on(ApiKeys.ADD_PARTITIONS_TO_TXN)
                            .node(0)
                            .topic(state.topic())
                            .list())
                    .isNotEmpty()
                    .allSatisfy(request -> assertThat(request.sender()).contains(2));

            FaultRule markers = fixture.cluster.faults().onTransaction(ID).holdBeforeMarkers();
            FaultRule complete = fixture.cluster.faults().onTransaction(ID).holdBeforeComplete();
            assertThat(fixture.coordinator().end(5, ID, producer, true)).isEqualTo(producer.at(1));
            markers.awaitHit();
            assertThat(fixture.coordinator().state(ID)).isEqualTo("PrepareCommit");
            assertThat(fixture.states()).containsExactly(TX_PENDING);

            markers.release();
            complete.awaitHit();
            assertThat(nodes(fixture, OUT.topic())).containsExactly(1);
            assertThat(nodes(fixture, state.topic())).containsExactly(2);
            assertThat(fixture.at(1).batches(fixture.outId, 0)).last().matches(batch -> batch.control());
            assertThat(fixture.at(2).batches(topicId(fixture, state), state.partition()))
                    .last()
                    .matches(batch -> batch.control());
            assertThat(fixture.records()).isEmpty();
            assertThat(fixture.coordinator().state(ID)).isEqualTo("PrepareCommit");

            complete.release();
            fixture.await(() -> fixture.coordinator().state(ID).equals("CompleteCommit"));
            assertThat(fixture.acquire(member, IN, 10)).isEmpty();
        }
    }

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
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            fixture.clock.advance(Duration.ofSeconds(20));
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.clock.advance(Duration.ofSeconds(30));
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            Identity next = fixture.end(producer, false);
            fixture.clock.advance(Duration.ofSeconds(9));
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(fixture.refreshed(member), next, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.NONE);
            next = fixture.end(next, false);
            fixture.clock.advance(Duration.ofSeconds(1));
            assertThat(fixture.states()).containsExactly(AVAILABLE);
            assertThat(fixture.stage(member, next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
        }
    }

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

    /** Whoever repeats acknowledgements that count already would double their output: silence would let it. */
    @ParameterizedTest
    @ValueSource(ints = {GAP, ACCEPT, RELEASE, REJECT})
    void whatIsDoneWithIsNotStagedAgain(int type) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 4);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 4);
            assertThat(fixture.acknowledge(member, IN, 1, 1, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(member, producer, IN, 1, 1, type)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(member, producer, IN, 0, 3, type)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.states()).containsExactly(ACQUIRED, ACKNOWLEDGED, ACQUIRED, ACQUIRED);

            assertThat(fixture.stage(member, producer, IN, 2, 2, ACCEPT)).isEqualTo(Errors.NONE);
            Identity next = fixture.end(producer, true);
            assertThat(fixture.states()).containsExactly(ACQUIRED, ACKNOWLEDGED, ACKNOWLEDGED, ACQUIRED);
            assertThat(fixture.stage(member, next, IN, 2, 2, type)).isEqualTo(Errors.INVALID_RECORD_STATE);

            assertThat(fixture.acknowledge(member, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(member, next, IN, 0, 2, type)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(member, next, IN, 2, 3, type)).isEqualTo(Errors.INVALID_RECORD_STATE);

            assertThat(fixture.acknowledge(member, IN, 3, 3, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.states()).isEmpty();
            assertThat(fixture.stage(member, next, IN, 0, 3, type)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(member, next, IN, 3, 4, type)).isEqualTo(Errors.INVALID_RECORD_STATE);
        }
    }

    @Test
    void theMemberIsCheckedWithTheGroupCoordinator() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(new Member("nobody", 1), producer, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(fixture.stage(new Member("m", member.epoch() - 1), producer, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.STALE_MEMBER_EPOCH);
            fixture.leave(member);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
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
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            Identity next = fixture.producer();
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.coordinator().end(5, ID, producer, true).error()).isEqualTo(Errors.PRODUCER_FENCED);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
            assertThat(fixture.stage(member, next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
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
            fixture.produce(0, 2);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 2);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(member, producer, IN, 0, 0, REJECT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            assertThat(fixture.stage(member, producer, IN, 0, 1, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.acknowledge(member, IN, 0, 0, ACCEPT)).isEqualTo(Errors.INVALID_RECORD_STATE);
            fixture.end(producer, true);
            assertThat(fixture.records()).isEmpty();
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
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            for (int round = 0; round < 2; round++) {
                assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
                boolean commits = commit && round == 1;
                assertThat(fixture.coordinator().end(4, ID, producer, commits).error())
                        .isEqualTo(Errors.NONE);
                fixture.coordinator().settled(ID);
                assertThat(fixture.states()).isEqualTo(commits ? List.of() : List.of(ACQUIRED));
            }
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

    private static Set<String> partitions(ShareFixture fixture) {
        Set<String> names = new TreeSet<>();
        DescribeTransactionsResponseData.TransactionState state =
                fixture.coordinator().describe(ID);
        state.topics().forEach(topic -> topic.partitions().forEach(index -> names.add(topic.topic() + "-" + index)));
        return names;
    }

    /** The nodes that were sent markers for a topic. */
    private static Set<Integer> nodes(ShareFixture fixture, String topic) {
        Set<Integer> nodes = new TreeSet<>();
        fixture.cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).topic(topic).list().stream()
                .map(LoggedRequest::node)
                .forEach(nodes::add);
        return nodes;
    }

    private static Uuid topicId(ShareFixture fixture, TopicPartition partition) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", fixture.cluster.bootstrapServers()))) {
            return admin.describeTopics(List.of(partition.topic())).allTopicNames().get().values().stream()
                    .findFirst()
                    .orElseThrow()
                    .topicId();
        }
    }
}
