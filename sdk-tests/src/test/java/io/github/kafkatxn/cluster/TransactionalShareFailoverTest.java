package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareFixture.ACCEPT;
import static io.github.kafkatxn.cluster.ShareFixture.GROUP;
import static io.github.kafkatxn.cluster.ShareFixture.ID;
import static io.github.kafkatxn.cluster.ShareFixture.IN;
import static io.github.kafkatxn.cluster.ShareFixture.OUT;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static io.github.kafkatxn.cluster.TransactionClient.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareFixture.Member;
import io.github.kafkatxn.cluster.ShareFixture.Places;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.fault.FaultRule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leaders and coordinators that move or stop between the steps of KIP-1289; requests and answers that get lost. */
@Timeout(60)
class TransactionalShareFailoverTest {
    /** When it happens. */
    enum Step {
        STAGED,
        PREPARED,
        MARKED
    }

    /** Whom it happens to. */
    enum Role {
        SHARE_PARTITION,
        STATE_PARTITION,
        COORDINATOR
    }

    static Stream<Arguments> disturbances() {
        return Stream.of(Step.values())
                .flatMap(step -> Stream.of(Role.values())
                        .flatMap(role -> Stream.of("moves", "stops")
                                .flatMap(how ->
                                        Stream.of(true, false).map(commit -> Arguments.of(step, role, how, commit)))));
    }

    @ParameterizedTest(name = "once {0}, {1} {2}, commit: {3}")
    @MethodSource("disturbances")
    void theEndIsTheSame(Step step, Role role, String how, boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            fixture.produce(0, 1);
            Member member = fixture.join("m");
            fixture.place(new Places(0, 1, 2, 1));
            Identity producer = fixture.producer();
            assertThat(fixture.acquire(member, IN, 1)).hasSize(1);
            assertThat(fixture.write(producer)).isEqualTo(Errors.NONE);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);

            Optional<FaultRule> held = hold(fixture, step);
            if (step != Step.STAGED) {
                assertThat(fixture.coordinator().end(5, ID, producer, commit).error())
                        .isEqualTo(Errors.NONE);
                held.orElseThrow().awaitHit();
            }
            disturb(fixture, role, how);
            if (step == Step.STAGED) {
                waiting(
                        () -> fixture.coordinator().end(5, ID, producer, commit).error(),
                        error -> error != Errors.NONE);
            }
            held.ifPresent(FaultRule::release);
            fixture.await(() -> fixture.coordinator().state(ID).startsWith("Complete"));

            requireEnd(fixture, commit);
        }
    }

    private static Optional<FaultRule> hold(ShareFixture fixture, Step step) {
        return switch (step) {
            case STAGED -> Optional.empty();
            case PREPARED ->
                Optional.of(fixture.cluster.faults().onTransaction(ID).holdBeforeMarkers());
            case MARKED ->
                Optional.of(fixture.cluster.faults().onTransaction(ID).holdBeforeComplete());
        };
    }

    private static void disturb(ShareFixture fixture, Role role, String how) throws IOException {
        TopicPartition partition = switch (role) {
            case SHARE_PARTITION -> IN;
            case STATE_PARTITION -> fixture.cluster.sharePartition(GROUP, IN);
            case COORDINATOR -> fixture.cluster.transactionPartition(ID);
        };
        int node = fixture.cluster.leader(partition);
        if (how.equals("moves")) {
            fixture.cluster.moveLeader(partition, (node + 1) % 3);
        } else {
            fixture.cluster.stopNode(node);
            fixture.disconnect(node);
            fixture.cluster.startNode(node);
        }
    }

    /** Committed, nobody gets the record again; aborted, somebody does, once its lock has run out, and only once. */
    private static void requireEnd(ShareFixture fixture, boolean commit) {
        Member other = waiting(() -> fixture.join("other"), joined -> false);
        assertThat(fixture.states()).doesNotContain(TX_PENDING);
        // Until then the leader has read what is kept, and the lock of the one that had the record is over.
        fixture.acquire(other, IN, 1);
        fixture.clock.advance(Duration.ofSeconds(31));
        assertThat(fixture.states()).doesNotContain(TX_PENDING);
        List<AcquiredRecords> acquired = fixture.acquire(other, IN, 1);
        assertThat(acquired).hasSize(commit ? 0 : 1);
        acquired.forEach(range -> assertThat(range.firstOffset()).isZero());
        assertThat(fixture.acquire(other, IN, 1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaderThatCannotBeToldIsToldLater(boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.cluster.cut(0, 1);
            fixture.coordinator().end(5, ID, producer, commit);
            fixture.cluster
                    .requests()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .node(1)
                    .answered()
                    .await(2);
            assertThat(fixture.coordinator().state(ID)).startsWith("Prepare");
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            fixture.cluster.join(0, 1);
            fixture.coordinator().settled(ID);
            assertThat(fixture.states()).isEqualTo(commit ? List.of() : List.of(ACQUIRED));
        }
    }

    @Test
    void aMarkerThatComesTwiceEndsNothingMore() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            FaultRule twice = fixture.cluster
                    .faults()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .topic("__share_group_state")
                    .handleTwice();
            Identity next = fixture.end(producer, false);
            assertThat(twice.hits()).isEqualTo(1);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(member, next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.cluster
                    .faults()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .topic("__share_group_state")
                    .closeAfterHandling();
            fixture.end(next, true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    @Test
    void aMarkerThatIsHandedOnTooLateDoesNotTouchTheNextTransaction() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            FaultRule lost = fixture.cluster
                    .faults()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .topic("in")
                    .closeAfterHandling();
            Identity next = fixture.end(producer, false);
            assertThat(lost.hits()).isEqualTo(1);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(member, next, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            // What was sent for the first transaction, once more.
            fixture.cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).topic("in").list().stream()
                    .limit(1)
                    .forEach(request -> fixture.at(0).send(2, request.request(), WriteTxnMarkersResponseData.class));
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            fixture.end(next, true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    @Test
    void whatIsStagedTooLateIsRefused() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            FaultRule late =
                    fixture.cluster.faults().on(ApiKeys.WRITE_SHARE_GROUP_STATE).hold();
            CompletableFuture<Errors> staged =
                    CompletableFuture.supplyAsync(() -> fixture.stageOnce(member, producer, IN, 0, 0, ACCEPT));
            late.awaitHit();
            try (TransactionClient other = TransactionClient.of(fixture.cluster, 2)) {
                other.ended(5, ID, producer, false);
                other.settled(ID);
            }
            late.release();
            assertThat(staged.get())
                    .isIn(Errors.INVALID_PRODUCER_EPOCH, Errors.TRANSACTION_ABORTABLE, Errors.INVALID_TXN_STATE);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMarkerMayOvertakeTheAnswerOfTheShareCoordinator(boolean commit) throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            FaultRule late =
                    fixture.cluster.faults().on(ApiKeys.WRITE_SHARE_GROUP_STATE).holdAnswer();
            CompletableFuture<Errors> staged =
                    CompletableFuture.supplyAsync(() -> fixture.stageOnce(member, producer, IN, 0, 0, ACCEPT));
            late.awaitHit();
            try (TransactionClient other = TransactionClient.of(fixture.cluster, 2)) {
                other.ended(5, ID, producer, commit);
                other.settled(ID);
            }
            late.release();
            assertThat(staged.get()).isEqualTo(Errors.NONE);
            assertThat(fixture.states()).isEqualTo(commit ? List.of() : List.of(ACQUIRED));
        }
    }

    @Test
    void anAnswerThatIsLostBetweenNodesIsAskedForAgain() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            FaultRule lost =
                    fixture.cluster.faults().on(ApiKeys.WRITE_SHARE_GROUP_STATE).closeAfterHandling();
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            assertThat(lost.hits()).isEqualTo(1);
            fixture.end(producer, true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    @Test
    void abortedRecordsStayWithTheirMemberAlsoUnderTheNextLeader() throws Exception {
        try (ShareFixture fixture = new ShareFixture(1)) {
            Member member = prepared(fixture);
            Identity producer = fixture.producer();
            fixture.acquire(member, IN, 1);
            assertThat(fixture.stage(member, producer, IN, 0, 0, ACCEPT)).isEqualTo(Errors.NONE);
            fixture.cluster.moveLeader(IN, 2);
            Member other = fixture.join("other");
            assertThat(fixture.acquire(other, IN, 1)).isEmpty();
            assertThat(fixture.states()).containsExactly(TX_PENDING);
            Identity next = fixture.end(producer, false);
            assertThat(fixture.states()).containsExactly(ACQUIRED);
            assertThat(fixture.stage(fixture.refreshed(member), next, IN, 0, 0, ACCEPT))
                    .isEqualTo(Errors.NONE);
            fixture.end(next, true);
            assertThat(fixture.records()).isEmpty();
        }
    }

    /** One record, one member; the share partition at node 0, its state at 1, the transaction coordinator at 2. */
    private static Member prepared(ShareFixture fixture) {
        fixture.produce(0, 1);
        Member member = fixture.join("m");
        fixture.place(new Places(0, 1, 2, 1));
        assertThat(fixture.cluster.leader(OUT)).isEqualTo(1);
        return member;
    }
}
