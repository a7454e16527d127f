package io.github.kafkatxn.cluster.internal.group;

import static io.github.kafkatxn.cluster.internal.group.GroupFixture.GROUP;
import static io.github.kafkatxn.cluster.internal.group.GroupFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetsTest {
    private final GroupFixture groups = new GroupFixture();

    @Test
    void pendingOffsetsAreSeenOnlyWhenTheTransactionIsCommitted() {
        groups.topic("in", 1);
        assertThat(groups.commitInTransaction(5, 7, 0, "", -1, "in", 7)).isEqualTo(Errors.NONE);

        assertThat(groups.fetch("in", true).errorCode()).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT.code());
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(-1);
        assertThat(groups.fetch("in", false).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(groups.fetch("in", false).committedOffset()).isEqualTo(-1);

        groups.marker(7, 1, true);
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(7);

        assertThat(groups.commitInTransaction(5, 7, 1, "", -1, "in", 9)).isEqualTo(Errors.NONE);
        groups.marker(7, 2, false);
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(7);
        assertThat(groups.shard().pending(GROUP)).isEmpty();
    }

    @Test
    void aGenerationWithoutGroupIsRefusedAsTheVersionKnowsIt() {
        groups.topic("in", 1);
        assertThat(groups.commitInTransaction(5, 7, 0, "m", 5, "in", 1)).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(groups.commitInTransaction(6, 7, 0, "m", 5, "in", 1)).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        assertThat(groups.commit(8, "m", 5, "in", 1)).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(groups.commit(9, "m", 5, "in", 1)).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
    }

    @Test
    void anOlderEpochThanThatOfTheLastMarkerIsRefused() {
        groups.topic("in", 1);
        groups.commitInTransaction(5, 7, 0, "", -1, "in", 1);
        groups.marker(7, 1, false);
        assertThat(groups.commitInTransaction(5, 7, 0, "", -1, "in", 2)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logOrderDecidesBetweenAPlainCommitAndOneOfATransaction(boolean moved) {
        groups.topic("first", 1);
        groups.topic("last", 1);
        groups.commit(9, "", -1, "first", 10);
        groups.commitInTransaction(5, 7, 0, "", -1, "first", 20);
        groups.commitInTransaction(5, 7, 0, "", -1, "last", 30);
        groups.commit(9, "", -1, "last", 40);
        if (moved) {
            groups.move();
        }
        groups.marker(7, 1, true);
        if (moved) {
            groups.move();
        }
        assertThat(groups.fetch("first", true).committedOffset()).isEqualTo(20);
        assertThat(groups.fetch("last", true).committedOffset()).isEqualTo(40);
    }

    @Test
    void pendingOffsetsSurviveTheCoordinator() {
        Uuid id = groups.topic("in", 1);
        groups.commit(9, "", -1, "in", 1);
        groups.commitInTransaction(5, 7, 0, "", -1, "in", 2);
        groups.move();
        assertThat(groups.fetch("in", true).errorCode()).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT.code());
        assertThat(groups.fetch("in", false).committedOffset()).isEqualTo(1);
        CommittedOffset pending = groups.shard().pending(GROUP).get(7L).get(partition("in"));
        assertThat(pending.topicId()).isEqualTo(id);
        assertThat(pending.offset()).isEqualTo(2);
        groups.marker(7, 1, true);
        groups.move();
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(2);
    }

    @Test
    void aDeletedTopicTakesItsOffsetsWithIt() {
        groups.topic("in", 1);
        groups.topic("other", 1);
        groups.commit(9, "", -1, "in", 1);
        groups.commit(9, "", -1, "other", 5);
        groups.commitInTransaction(5, 7, 0, "", -1, "in", 2);
        groups.deleteTopic("in");
        groups.topic("in", 1);
        assertThat(groups.shard().committed(GROUP)).containsOnlyKeys(partition("other"));
        assertThat(groups.shard().pending(GROUP)).isEmpty();
        groups.marker(7, 1, true);
        groups.move();
        assertThat(groups.shard().committed(GROUP)).containsOnlyKeys(partition("other"));
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(-1);
    }

    @Test
    void aTopicDeletedWhileNobodyCoordinatesTakesItsOffsetsWithIt() {
        groups.topic("in", 1);
        groups.commit(9, "", -1, "in", 1);
        groups.coordinator().onResignation(0);
        groups.deleteTopic("in");
        groups.topic("in", 1);
        groups.move();
        assertThat(groups.fetch("in", false).committedOffset()).isEqualTo(-1);
    }

    @Test
    void anOffsetBelongsToTheTopicIdItWasStoredFor() {
        Uuid id = groups.topic("in", 1);
        groups.commit(10, "", -1, "in", 3);
        assertThat(groups.fetch("in", id, true).committedOffset()).isEqualTo(3);
        assertThat(groups.fetch("in", Uuid.randomUuid(), true).committedOffset())
                .isEqualTo(-1);
    }

    @Test
    void fetchAllLeavesOutPartitionsThatHaveOnlyPendingOffsets() {
        groups.topic("in", 1);
        groups.topic("pending", 1);
        groups.commit(9, "", -1, "in", 3);
        groups.commitInTransaction(5, 7, 0, "", -1, "pending", 2);
        OffsetFetchRequestGroup all =
                new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(null);
        assertThat(groups.shard()
                        .offsets()
                        .fetch(all.setMemberId(null).setMemberEpoch(-1), true)
                        .topics())
                .extracting(topic -> topic.name())
                .isEqualTo(List.of("in"));
    }

    @Test
    void deletingAGroupDropsItsPendingOffsets() {
        groups.topic("in", 1);
        groups.commitInTransaction(5, 7, 0, "", -1, "in", 2);
        groups.shard().inventory().delete(GROUP);
        groups.marker(7, 1, true);
        assertThat(groups.fetch("in", true).committedOffset()).isEqualTo(-1);
        assertThatThrownBy(() -> groups.shard().inventory().delete(GROUP)).isInstanceOf(GroupIdNotFoundException.class);
        groups.move();
        assertThat(groups.shard().committed(GROUP)).isEmpty();
    }

    @Test
    void whoDoesNotLeadThePartitionIsNotTheCoordinator() {
        groups.coordinator().onResignation(0);
        assertThat(GroupFixture.errorOf(() -> {
                    groups.shard();
                    return Errors.NONE;
                }))
                .isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        groups.controller.nodeUp(1, "localhost", 2);
        groups.controller.nodeDown(0);
        groups.look();
        assertThat(GroupFixture.errorOf(() -> {
                    groups.shard();
                    return Errors.NONE;
                }))
                .isEqualTo(Errors.NOT_COORDINATOR);
        groups.coordinator().close();
        assertThat(GroupFixture.errorOf(() -> {
                    groups.shard();
                    return Errors.NONE;
                }))
                .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }
}
