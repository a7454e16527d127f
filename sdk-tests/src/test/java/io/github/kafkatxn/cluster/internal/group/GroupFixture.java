package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import io.github.kafkatxn.cluster.internal.log.TransactionMarker;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.SteppedLoop;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.Errors;

/** A coordinator of one partition of {@code __consumer_offsets}, with a controller and a loop that a test steps. */
final class GroupFixture {
    static final String GROUP = "group";

    final SteppedLoop loop = new SteppedLoop();
    final Controller controller = new Controller("cluster", Map.of());
    private final PartitionLog log = new PartitionLog();
    private GroupCoordinator coordinator;
    private LedPartition partition;
    private ClusterImage seen;
    private NodeSettings settings = new NodeSettings(Map.of());
    private int leaderEpoch;

    GroupFixture() {
        controller.nodeUp(0, "localhost", 1);
        controller.createTopic(InternalTopics.OFFSETS, 1, 1, Map.of());
        seen = controller.image();
        coordinator = new GroupCoordinator(0, loop, () -> seen, settings);
        partition = elect();
    }

    /** The coordinator moves: another one reads all of it from the log. */
    void move() {
        coordinator.onResignation(0);
        coordinator = new GroupCoordinator(0, loop, () -> seen, settings);
        partition = elect();
    }

    /** The coordinator is started anew with a setting. */
    void set(String name, String value) {
        settings = new NodeSettings(Map.of(name, value));
        move();
    }

    private LedPartition elect() {
        Uuid id = controller.image().topic(InternalTopics.OFFSETS).orElseThrow().id();
        LedPartition elected =
                new LedPartition(new TopicIdPartition(id, 0, InternalTopics.OFFSETS), leaderEpoch++, log, loop::millis);
        coordinator.onElection(elected);
        return elected;
    }

    GroupCoordinator coordinator() {
        return coordinator;
    }

    GroupShard shard() {
        return coordinator.shardOf(GROUP);
    }

    Uuid topic(String name, int partitions) {
        Uuid id = controller.createTopic(name, partitions, 1, Map.of()).id();
        look();
        return id;
    }

    void deleteTopic(String name) {
        controller.deleteTopic(name);
        look();
    }

    /** The coordinator sees what the controller has decided. */
    void look() {
        ClusterImage before = seen;
        seen = controller.image();
        coordinator.onImage(before, seen);
    }

    Errors commit(int version, String memberId, int epoch, String topic, long offset) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(GROUP)
                .setMemberId(memberId)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of(new OffsetCommitRequestData.OffsetCommitRequestTopic()
                        .setName(topic)
                        .setTopicId(idOf(topic))
                        .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
        return errorOf(() -> Errors.forCode(shard().offsets()
                .commit(caller(version), request)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode()));
    }

    Errors commitInTransaction(
            int version, long producerId, int producerEpoch, String memberId, int epoch, String topic, long offset) {
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setGroupId(GROUP)
                .setTransactionalId("txn")
                .setProducerId(producerId)
                .setProducerEpoch((short) producerEpoch)
                .setMemberId(memberId)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                        .setName(topic)
                        .setTopicId(idOf(topic))
                        .setPartitions(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
        return errorOf(() -> {
            Verification verification =
                    shard().offsets().startVerification(producerId, (short) producerEpoch, version >= 5);
            if (verification.error() != Errors.NONE) {
                return verification.error();
            }
            return Errors.forCode(shard().offsets()
                    .commitInTransaction(caller(version), request, verification.guard())
                    .topics()
                    .get(0)
                    .partitions()
                    .get(0)
                    .errorCode());
        });
    }

    void marker(long producerId, int producerEpoch, boolean commit) {
        Appended appended =
                partition.appendMarker(new TransactionMarker(producerId, (short) producerEpoch, commit, 0, (byte) 2));
        if (appended.error() != Errors.NONE) {
            throw appended.error().exception(appended.message());
        }
        coordinator.onMarker(0, producerId, commit);
    }

    OffsetFetchResponsePartitions fetch(String topic, boolean requireStable) {
        return fetch(topic, Uuid.ZERO_UUID, requireStable);
    }

    OffsetFetchResponsePartitions fetch(String topic, Uuid id, boolean requireStable) {
        OffsetFetchRequestGroup request = new OffsetFetchRequestGroup()
                .setGroupId(GROUP)
                .setMemberId(null)
                .setMemberEpoch(-1)
                .setTopics(List.of(new OffsetFetchRequestTopics()
                        .setName(topic)
                        .setTopicId(id)
                        .setPartitionIndexes(List.of(0))));
        return shard().offsets()
                .fetch(request, requireStable)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    static Caller caller(int version) {
        return new Caller((short) version, "client", "/127.0.0.1");
    }

    static Errors errorOf(Supplier<Errors> call) {
        try {
            return call.get();
        } catch (ApiException e) {
            return Errors.forException(e);
        }
    }

    Uuid idOf(String topic) {
        return controller.image().topic(topic).orElseThrow().id();
    }

    static TopicPartition partition(String topic) {
        return new TopicPartition(topic, 0);
    }
}
