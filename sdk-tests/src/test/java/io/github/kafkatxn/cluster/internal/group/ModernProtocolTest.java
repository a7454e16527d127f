package io.github.kafkatxn.cluster.internal.group;

import static io.github.kafkatxn.cluster.internal.group.GroupFixture.GROUP;
import static io.github.kafkatxn.cluster.internal.group.GroupFixture.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModernProtocolTest {
    private static final int REBALANCE_TIMEOUT_MS = 10_000;
    private static final int SESSION_TIMEOUT_MS = 45_000;

    private final GroupFixture groups = new GroupFixture();
    private final Uuid topic = groups.topic("in", 4);

    /** A member as its client would behave: it takes what it is given at once, unless a test holds it back. */
    private final class Client {
        private final String id;
        private final @Nullable String instanceId;
        private int epoch;
        private Set<Integer> owned = new TreeSet<>();

        Client(String id, @Nullable String instanceId) {
            this.id = id;
            this.instanceId = instanceId;
        }

        Client join() {
            owned = new TreeSet<>();
            epoch = 0;
            take(groups.shard().modern().heartbeat(GroupFixture.caller(1), request(0, List.of("in"))));
            return this;
        }

        Client beat() {
            take(groups.shard().modern().heartbeat(GroupFixture.caller(1), request(epoch, null)));
            return this;
        }

        void leave(int how) {
            groups.shard().modern().heartbeat(GroupFixture.caller(1), request(how, null));
        }

        Errors tryTo(int asEpoch, Set<Integer> claimed) {
            Set<Integer> before = owned;
            owned = claimed;
            Errors error = errorOf(() -> {
                groups.shard().modern().heartbeat(GroupFixture.caller(1), request(asEpoch, null));
                return Errors.NONE;
            });
            owned = before;
            return error;
        }

        private void take(ConsumerGroupHeartbeatResponseData response) {
            epoch = response.memberEpoch();
            if (response.assignment() != null) {
                owned = new TreeSet<>();
                response.assignment().topicPartitions().forEach(assigned -> owned.addAll(assigned.partitions()));
            }
        }

        private ConsumerGroupHeartbeatRequestData request(int asEpoch, @Nullable List<String> topics) {
            return new ConsumerGroupHeartbeatRequestData()
                    .setGroupId(GROUP)
                    .setMemberId(id)
                    .setInstanceId(instanceId)
                    .setMemberEpoch(asEpoch)
                    .setRebalanceTimeoutMs(asEpoch == 0 ? REBALANCE_TIMEOUT_MS : -1)
                    .setSubscribedTopicNames(topics)
                    .setTopicPartitions(
                            owned.isEmpty()
                                    ? List.of()
                                    : List.of(new TopicPartitions()
                                            .setTopicId(topic)
                                            .setPartitions(new ArrayList<>(owned))));
        }
    }

    private Client client(String id) {
        return new Client(id, null);
    }

    private GroupView view() {
        return groups.shard().inventory().views().get(0);
    }

    @Test
    void theFirstMemberGetsEverythingAtEpochTwo() {
        Client a = client("a").join();
        assertThat(a.epoch).isEqualTo(2);
        assertThat(a.owned).containsExactly(0, 1, 2, 3);
        assertThat(view().state()).isEqualTo("Stable");
    }

    @Test
    void aMemberRevokesFirstAndOnlyThenAnotherOneGetsIt() {
        Client a = client("a").join();
        Client b = client("b").join();
        assertThat(b.owned).isEmpty();
        assertThat(b.epoch).isEqualTo(3);
        assertThat(view().state()).isEqualTo("Reconciling");

        Set<Integer> before = a.owned;
        a.beat();
        assertThat(a.epoch).as("stays at its epoch until it has revoked").isEqualTo(2);
        assertThat(a.owned).hasSize(2);
        assertThat(b.beat().owned).as("not released yet").isEmpty();

        a.beat();
        assertThat(a.epoch).isEqualTo(3);
        b.beat();
        assertThat(b.owned).hasSize(2).doesNotContainAnyElementsOf(a.owned);
        assertThat(before).containsAll(a.owned);
        assertThat(view().state()).isEqualTo("Stable");
    }

    @Test
    void whoDoesNotRevokeInTimeIsFenced() {
        Client a = client("a").join();
        Client b = client("b").join();
        Set<Integer> all = a.owned;
        a.beat();
        for (int i = 0; i < 2; i++) {
            groups.loop.pass(REBALANCE_TIMEOUT_MS / 2);
            b.beat();
        }
        assertThat(a.tryTo(1, all)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(b.beat().owned).hasSize(4);
    }

    @Test
    void whoIsNotHeardOfLosesItsSession() {
        Client a = client("a").join();
        groups.loop.pass(SESSION_TIMEOUT_MS - 1);
        assertThat(view().members()).hasSize(1);
        a.beat();
        groups.loop.pass(SESSION_TIMEOUT_MS);
        assertThat(view().members()).isEmpty();
        assertThat(view().state()).isEqualTo("Empty");
        assertThat(a.tryTo(a.epoch, a.owned)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void epochsThatDoNotFitAreFenced() {
        Client a = client("a").join();
        client("b").join();
        a.beat();
        a.beat();
        assertThat(a.epoch).isEqualTo(3);
        assertThat(a.tryTo(4, a.owned)).isEqualTo(Errors.FENCED_MEMBER_EPOCH);
        assertThat(a.tryTo(2, Set.of(0, 1, 2, 3))).isEqualTo(Errors.FENCED_MEMBER_EPOCH);
        assertThat(a.tryTo(2, a.owned)).as("the answer was lost").isEqualTo(Errors.NONE);
        assertThat(client("c").tryTo(2, Set.of())).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void aStaticMemberThatIsBackKeepsWhatItHad() {
        Client a = new Client("a", "one").join();
        Client other = new Client("b", "one");
        assertThat(errorOf(() -> {
                    other.join();
                    return Errors.NONE;
                }))
                .isEqualTo(Errors.UNRELEASED_INSTANCE_ID);
        assertThat(errorOf(() -> {
                    a.join();
                    return Errors.NONE;
                }))
                .as("it has not left")
                .isEqualTo(Errors.UNRELEASED_INSTANCE_ID);
        a.leave(-2);
        int epoch = view().epoch();
        other.join();
        assertThat(other.owned).containsExactly(0, 1, 2, 3);
        assertThat(view().epoch()).as("nothing has changed for the group").isEqualTo(epoch);
        assertThat(a.tryTo(2, a.owned)).isEqualTo(Errors.FENCED_INSTANCE_ID);
    }

    @Test
    void anAdministratorLetsMembersGo() {
        Client a = client("a").join();
        new Client("b", "static").join();
        assertThat(remove("c", null)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(remove("c", "static")).isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(remove("", "static")).isEqualTo(Errors.NONE);
        assertThat(remove("a", null)).isEqualTo(Errors.NONE);
        assertThat(a.tryTo(a.epoch, a.owned)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(view().state()).isEqualTo("Empty");
    }

    private Errors remove(String memberId, @Nullable String instanceId) {
        return groups.shard()
                .classic()
                .leave(GROUP, new MemberIdentity().setMemberId(memberId).setGroupInstanceId(instanceId));
    }

    @Test
    void aGroupOfAnotherTypeOrNoneIsNotFound() {
        assertThat(client("a").tryTo(1, Set.of())).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        groups.commit(9, "", -1, "in", 1);
        client("a").join();
        assertThat(view().type()).as("a group without members is taken over").isEqualTo("consumer");
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(1);
    }

    @Test
    void aFullGroupTakesNobodyElse() {
        groups.set("group.max.size", "1");
        client("a").join();
        client("b").join();
        groups.set("group.consumer.max.size", "2");
        assertThat(errorOf(() -> {
                    client("c").join();
                    return Errors.NONE;
                }))
                .isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
        assertThat(view().members()).hasSize(2);
    }

    @Test
    void newPartitionsAreAssignedWithTheNextHeartbeat() {
        Client a = client("a").join();
        groups.controller.addPartitions("in", List.of(List.of(0), List.of(0)));
        groups.look();
        assertThat(a.beat().owned).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(a.epoch).isEqualTo(3);
    }

    @Test
    void theGroupSurvivesItsCoordinator() {
        Client a = client("a").join();
        Client b = new Client("b", "static").join();
        a.beat();
        groups.move();
        a.beat();
        b.beat();
        assertThat(a.owned).hasSize(2);
        assertThat(b.owned).hasSize(2);
        assertThat(new HashSet<>(a.owned)).doesNotContainAnyElementsOf(b.owned);
        groups.loop.pass(SESSION_TIMEOUT_MS);
        assertThat(view().members()).isEmpty();
    }

    @Test
    void offsetsOfAMemberBehindAreTakenAsLongAsItHadThePartition() {
        Client a = client("a").join();
        client("b").join();
        a.beat();
        assertThat(groups.commit(9, "a", 2, "in", 1)).isEqualTo(Errors.NONE);
        a.beat();
        Errors kept = a.owned.contains(0) ? Errors.NONE : Errors.STALE_MEMBER_EPOCH;
        assertThat(groups.commit(9, "a", 2, "in", 1)).isEqualTo(kept);
        assertThat(groups.commitInTransaction(6, 7, 0, "a", 4, "in", 1)).isEqualTo(Errors.STALE_MEMBER_EPOCH);
        assertThat(groups.commitInTransaction(5, 7, 0, "a", 4, "in", 1)).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(groups.commitInTransaction(6, 7, 0, "x", 4, "in", 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(groups.commitInTransaction(6, 7, 0, "", -1, "in", 1)).isEqualTo(Errors.NONE);
        assertThat(groups.commit(9, "", -1, "in", 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(groups.commit(8, "a", 3, "in", 1)).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }
}
