package io.github.kafkatxn.cluster.internal.group;

import static io.github.kafkatxn.cluster.internal.group.GroupFixture.GROUP;
import static io.github.kafkatxn.cluster.internal.group.GroupFixture.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClassicProtocolTest {
    private static final int SESSION_TIMEOUT_MS = 10_000;
    private static final int REBALANCE_TIMEOUT_MS = 60_000;

    private final GroupFixture groups = new GroupFixture();

    ClassicProtocolTest() {
        groups.topic("in", 1);
    }

    /** A member with the answers it got, null while it waits. */
    private final class Client {
        private final @Nullable String instanceId;
        private @Nullable JoinGroupResponseData joined;
        private @Nullable SyncGroupResponseData synced;
        private String id = "";
        private int generation = -1;

        Client(@Nullable String instanceId) {
            this.instanceId = instanceId;
        }

        Errors join(int version) {
            joined = null;
            synced = null;
            JoinGroupRequestData request = new JoinGroupRequestData()
                    .setGroupId(GROUP)
                    .setMemberId(id)
                    .setGroupInstanceId(instanceId)
                    .setProtocolType("test")
                    .setSessionTimeoutMs(SESSION_TIMEOUT_MS)
                    .setRebalanceTimeoutMs(REBALANCE_TIMEOUT_MS);
            JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
            protocols.add(new JoinGroupRequestProtocol().setName("p").setMetadata(bytes("meta")));
            request.setProtocols(protocols);
            return errorOf(() -> {
                groups.shard().join().join(GroupFixture.caller(version), request, response -> joined = response);
                return Errors.NONE;
            });
        }

        /** Joins, again with the id it is given, and waits. */
        Client enter() {
            join(9);
            JoinGroupResponseData first = joined;
            if (first != null && first.errorCode() == Errors.MEMBER_ID_REQUIRED.code()) {
                id = first.memberId();
                join(9);
            }
            return this;
        }

        JoinGroupResponseData joined() {
            return Objects.requireNonNull(joined, "an answer to the join");
        }

        SyncGroupResponseData synced() {
            return Objects.requireNonNull(synced, "an answer to the sync");
        }

        JoinGroupResponseData take() {
            JoinGroupResponseData response = joined();
            id = response.memberId();
            generation = response.generationId();
            return response;
        }

        Errors sync(List<SyncGroupRequestAssignment> assignments) {
            return errorOf(() -> {
                groups.shard()
                        .classic()
                        .sync(
                                new SyncGroupRequestData()
                                        .setGroupId(GROUP)
                                        .setMemberId(id)
                                        .setGroupInstanceId(instanceId)
                                        .setGenerationId(generation)
                                        .setProtocolType("test")
                                        .setProtocolName("p")
                                        .setAssignments(assignments),
                                response -> synced = response);
                return Errors.NONE;
            });
        }

        Errors heartbeat() {
            return errorOf(() -> groups.shard()
                    .classic()
                    .heartbeat(new HeartbeatRequestData()
                            .setGroupId(GROUP)
                            .setMemberId(id)
                            .setGroupInstanceId(instanceId)
                            .setGenerationId(generation)));
        }

        Errors leave() {
            return errorOf(() -> groups.shard()
                    .classic()
                    .leave(GROUP, new MemberIdentity().setMemberId(id).setGroupInstanceId(instanceId)));
        }
    }

    private Client client() {
        return new Client(null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SyncGroupRequestAssignment to(Client client, String what) {
        return new SyncGroupRequestAssignment().setMemberId(client.id).setAssignment(bytes(what));
    }

    private GroupView view() {
        return groups.shard().inventory().views().get(0);
    }

    /** A leader and a follower with an assignment each. */
    private List<Client> stable(Client leader, Client follower) {
        leader.enter();
        follower.enter();
        groups.loop.pass(0);
        leader.take();
        follower.take();
        follower.sync(List.of());
        leader.sync(List.of(to(leader, "L"), to(follower, "F")));
        assertThat(view().state()).isEqualTo("Stable");
        return List.of(leader, follower);
    }

    @Test
    void membersAreCollectedAndTheLeaderDecides() {
        Client leader = client().enter();
        Client follower = client().enter();
        assertThat(leader.joined).as("waits for others").isNull();
        groups.loop.pass(0);
        assertThat(leader.take().members()).hasSize(2);
        assertThat(follower.take().members()).isEmpty();
        assertThat(follower.joined().leader()).isEqualTo(leader.id);
        assertThat(follower.generation).isEqualTo(1);

        follower.sync(List.of());
        assertThat(follower.synced).as("waits for the leader").isNull();
        assertThat(groups.commit(9, follower.id, 1, "in", 1)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        leader.sync(List.of(to(leader, "L"), to(follower, "F")));
        assertThat(follower.synced().assignment()).isEqualTo(bytes("F"));
        assertThat(leader.synced().assignment()).isEqualTo(bytes("L"));
        assertThat(view().state()).isEqualTo("Stable");
        assertThat(groups.commit(9, follower.id, 1, "in", 1)).isEqualTo(Errors.NONE);
    }

    @Test
    void aNewMemberMakesEverybodyJoinAgain() {
        List<Client> both = stable(client(), client());
        Client late = client().enter();
        assertThat(both.get(0).heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(both.get(1).sync(List.of())).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(groups.commitInTransaction(6, 7, 0, both.get(1).id, 1, "in", 1))
                .as("a rebalance does not refuse offsets of a transaction")
                .isEqualTo(Errors.NONE);
        both.get(0).join(9);
        both.get(1).join(9);
        assertThat(late.take().generationId()).isEqualTo(2);
        assertThat(both.get(0).heartbeat()).as("its generation is over").isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(groups.commitInTransaction(6, 7, 0, both.get(1).id, 1, "in", 1))
                .isEqualTo(Errors.ILLEGAL_GENERATION);
    }

    @Test
    void whoDoesNotJoinInTimeIsLetGo() {
        List<Client> both = stable(client(), client());
        Client late = client().enter();
        both.get(0).join(9);
        for (int i = 0; i < REBALANCE_TIMEOUT_MS / SESSION_TIMEOUT_MS; i++) {
            groups.loop.pass(SESSION_TIMEOUT_MS - 1);
            both.get(1).heartbeat();
        }
        groups.loop.pass(SESSION_TIMEOUT_MS);
        assertThat(late.take().generationId()).isEqualTo(2);
        assertThat(both.get(1).heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void whoIsNotHeardOfLosesItsSession() {
        List<Client> both = stable(client(), client());
        groups.loop.pass(SESSION_TIMEOUT_MS - 1);
        assertThat(both.get(0).heartbeat()).isEqualTo(Errors.NONE);
        groups.loop.pass(1);
        assertThat(both.get(0).heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        both.get(0).join(9);
        assertThat(both.get(0).take().members()).hasSize(1);
    }

    @Test
    void aStaticMemberThatIsBackKeepsItsGeneration() {
        stable(client(), new Client("one"));
        Client old = new Client("one");
        old.id = view().members().stream()
                .filter(member -> member.instanceId() != null)
                .findFirst()
                .orElseThrow()
                .memberId();
        old.generation = 1;
        Client back = new Client("one");
        back.join(9);
        assertThat(back.take().generationId()).isEqualTo(1);
        assertThat(old.heartbeat()).isEqualTo(Errors.FENCED_INSTANCE_ID);
        back.sync(List.of());
        assertThat(back.synced().assignment()).isEqualTo(bytes("F"));
    }

    @Test
    void whoLeavesIsGone() {
        List<Client> both = stable(client(), client());
        assertThat(both.get(1).leave()).isEqualTo(Errors.NONE);
        assertThat(both.get(1).leave()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        both.get(0).join(9);
        both.get(0).take();
        assertThat(both.get(0).leave()).isEqualTo(Errors.NONE);
        assertThat(view().state()).isEqualTo("Empty");
        assertThat(view().epoch()).isEqualTo(3);
        groups.shard().inventory().delete(GROUP);
        assertThat(groups.shard().inventory().views()).isEmpty();
    }

    @Test
    void aStableGroupSurvivesItsCoordinatorAndWhoWaitsIsTold() {
        List<Client> both = stable(client(), client());
        groups.move();
        assertThat(both.get(0).heartbeat()).isEqualTo(Errors.NONE);
        both.get(1).sync(List.of());
        assertThat(both.get(1).synced().assignment()).isEqualTo(bytes("F"));
        Client late = client().enter();
        groups.move();
        assertThat(late.joined().errorCode()).isEqualTo(Errors.NOT_COORDINATOR.code());
        groups.loop.pass(SESSION_TIMEOUT_MS);
        assertThat(view().state()).isIn("PreparingRebalance", "Empty");
    }

    @Test
    void refusals() {
        Client unknown = client();
        unknown.id = "x";
        assertThat(unknown.join(9)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(unknown.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(unknown.sync(List.of())).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        Client old = client();
        old.join(3);
        assertThat(old.joined).as("before version 4 nobody has to come back").isNull();
        groups.loop.pass(0);
        assertThat(old.take().generationId()).isEqualTo(1);
    }

    @Test
    void aFullGroupTakesNobodyElse() {
        groups.set("group.max.size", "2");
        stable(client(), client());
        assertThat(client().join(9)).isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
        assertThat(view().members()).hasSize(2);
    }
}
