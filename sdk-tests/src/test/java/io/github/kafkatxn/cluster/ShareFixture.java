package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.TransactionClient.waiting;

import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/**
 * Three nodes with KIP-1289 and a clock that the test moves, and the requests of members and of a producer, sent by
 * hand. A member's requests go to the leader of the partition, wherever it is.
 */
final class ShareFixture implements AutoCloseable {
    static final int GAP = 0;
    static final int ACCEPT = 1;
    static final int RELEASE = 2;
    static final int REJECT = 3;

    static final String GROUP = "workers";
    static final String ID = "copier";
    static final TopicPartition IN = new TopicPartition("in", 0);
    static final TopicPartition OUT = new TopicPartition("out", 0);

    final ManualClock clock = new ManualClock();
    final ReferenceCluster cluster;
    final Uuid inId;
    final Uuid outId;
    private final Map<Integer, TransactionClient> connections = new HashMap<>();
    private final Map<String, Integer> sessionEpochs = new HashMap<>();

    /** A member of the group. */
    record Member(String id, int epoch) {}

    /** A member, and the producer in whose transactions it acknowledges. */
    record Worker(Member member, Identity producer) {}

    /** Who leads what. */
    record Places(int in, int state, int transaction, int out) {}

    ShareFixture(int partitions) throws Exception {
        cluster = ReferenceCluster.start(
                ClusterSettings.builder().nodes(3).shareVersion(3).clock(clock).build());
        inId = at(0).createTopic("in", partitions);
        outId = at(0).createTopic("out", 1);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            ShareClients.configure(
                    admin,
                    GROUP,
                    Map.of(
                            "share.auto.offset.reset",
                            "earliest",
                            "share.partition.max.record.locks",
                            "4000",
                            "share.session.timeout.ms",
                            "600000"));
        }
        at(0).coordinator(ID, 1);
        at(0).coordinator(GROUP, 0);
    }

    /** Moves the leaders to where the test wants them; there is a member already. */
    void place(Places places) {
        cluster.moveLeader(IN, places.in());
        cluster.moveLeader(cluster.sharePartition(GROUP, IN), places.state());
        cluster.moveTransactionCoordinator(ID, places.transaction());
        cluster.moveLeader(OUT, places.out());
    }

    TransactionClient at(int node) {
        return connections.computeIfAbsent(node, id -> TransactionClient.of(cluster, id));
    }

    TransactionClient coordinator() {
        return at(cluster.leader(cluster.transactionPartition(ID)));
    }

    Identity producer() {
        return coordinator().initialised(ID, 60_000);
    }

    /** One record in the output, which makes it part of the transaction. */
    Errors write(Identity producer) {
        return waiting(
                () -> at(cluster.leader(OUT)).produce(12, ID, producer, "out", outId, 0, 0),
                TransactionClient::isTooEarly);
    }

    void produce(int partition, int count) {
        ShareClients.produce(cluster.bootstrapServers(), "in", partition, 0, count);
    }

    /** Somebody who has acquired new records, so many of them. */
    Worker working(int records) {
        produce(0, records);
        Member member = join("m");
        Identity producer = producer();
        acquire(member, IN, records);
        return new Worker(member, producer);
    }

    /** Heartbeats until there is an assignment. */
    Member join(String id) {
        ShareGroupHeartbeatResponseData answer = waiting(() -> heartbeat(id, 0), each -> each.errorCode() != 0);
        while (answer.assignment() == null
                || answer.assignment().topicPartitions().isEmpty()) {
            int epoch = answer.memberEpoch();
            answer = waiting(() -> heartbeat(id, epoch), each -> each.errorCode() != 0);
        }
        return new Member(id, answer.memberEpoch());
    }

    /** The same member after one more heartbeat. */
    Member refreshed(Member member) {
        return new Member(member.id(), heartbeat(member.id(), member.epoch()).memberEpoch());
    }

    void leave(Member member) {
        heartbeat(member.id(), -1);
    }

    private ShareGroupHeartbeatResponseData heartbeat(String id, int epoch) {
        ShareGroupHeartbeatRequestData request = new ShareGroupHeartbeatRequestData()
                .setGroupId(GROUP)
                .setMemberId(id)
                .setMemberEpoch(epoch);
        return at(cluster.leader(cluster.groupPartition(GROUP)))
                .send(
                        1,
                        epoch == 0 ? request.setSubscribedTopicNames(List.of("in")) : request,
                        ShareGroupHeartbeatResponseData.class);
    }

    /** {@return what the member acquires now, without waiting} */
    List<AcquiredRecords> acquire(Member member, TopicPartition partition, int maxRecords) {
        int leader = cluster.leader(partition);
        ShareFetchRequestData request = new ShareFetchRequestData()
                .setGroupId(GROUP)
                .setMemberId(member.id())
                .setShareSessionEpoch(nextSessionEpoch(member, leader))
                .setMaxWaitMs(0)
                .setMinBytes(0)
                .setMaxBytes(1 << 24)
                .setMaxRecords(maxRecords)
                .setBatchSize(1)
                .setShareAcquireMode((byte) 1);
        FetchTopic topic = new FetchTopic().setTopicId(inId);
        topic.partitions().add(new FetchPartition().setPartitionIndex(partition.partition()));
        request.topics().add(topic);
        ShareFetchResponseData answer = at(leader).send(2, request, ShareFetchResponseData.class);
        if (answer.errorCode() != 0) {
            throw new AssertionError(Errors.forCode(answer.errorCode()));
        }
        return answer.responses().stream()
                .flatMap(each -> each.partitions().stream())
                .filter(each -> each.partitionIndex() == partition.partition())
                .findFirst()
                .map(ShareFetchResponseData.PartitionData::acquiredRecords)
                .orElse(List.of());
    }

    /** An acknowledgement outside of a transaction. */
    Errors acknowledge(Member member, TopicPartition partition, long first, long last, int type) {
        int leader = cluster.leader(partition);
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(GROUP)
                .setMemberId(member.id())
                .setShareSessionEpoch(nextSessionEpoch(member, leader));
        ShareAcknowledgeRequestData.AcknowledgeTopic topic =
                new ShareAcknowledgeRequestData.AcknowledgeTopic().setTopicId(inId);
        topic.partitions()
                .add(new ShareAcknowledgeRequestData.AcknowledgePartition()
                        .setPartitionIndex(partition.partition())
                        .setAcknowledgementBatches(List.of(new ShareAcknowledgeRequestData.AcknowledgementBatch()
                                .setFirstOffset(first)
                                .setLastOffset(last)
                                .setAcknowledgeTypes(List.of((byte) type)))));
        request.topics().add(topic);
        ShareAcknowledgeResponseData answer = at(leader).send(2, request, ShareAcknowledgeResponseData.class);
        return Errors.forCode(
                answer.errorCode() != 0
                        ? answer.errorCode()
                        : answer.responses().find(inId).partitions().get(0).errorCode());
    }

    private int nextSessionEpoch(Member member, int node) {
        return sessionEpochs.merge(member.id() + "@" + node, 0, (before, none) -> before + 1);
    }

    /** A connection is lost, and with it the sessions that were opened over it. */
    void disconnect(int node) throws IOException {
        at(node).close();
        connections.remove(node);
        sessionEpochs.keySet().removeIf(session -> session.endsWith("@" + node));
    }

    /** Stages one range, at the leader. Waits out what a client waits out. */
    Errors stage(Member member, Identity producer, TopicPartition partition, long first, long last, int type) {
        return waiting(
                () -> stageOnce(member, producer, partition, first, last, type),
                error -> error == Errors.CONCURRENT_TRANSACTIONS
                        || error == Errors.COORDINATOR_NOT_AVAILABLE
                        || error == Errors.COORDINATOR_LOAD_IN_PROGRESS
                        || error == Errors.NOT_LEADER_OR_FOLLOWER);
    }

    Errors stage(Worker worker, long first, long last, int type) {
        return stage(worker.member(), worker.producer(), IN, first, last, type);
    }

    Errors stageOnce(Member member, Identity producer, TopicPartition partition, long first, long last, int type) {
        return error(at(cluster.leader(partition))
                .send(0, request(member, producer, partition, first, last, type), TxnShareAcknowledge.Response.class));
    }

    static Errors error(TxnShareAcknowledge.Response answer) {
        return Errors.forCode(
                answer.errorCode() != 0
                        ? answer.errorCode()
                        : answer.topics().get(0).partitions().get(0).errorCode());
    }

    TxnShareAcknowledge.Request request(
            Member member, Identity producer, TopicPartition partition, long first, long last, int type) {
        return new TxnShareAcknowledge.Request(
                ID,
                GROUP,
                producer.producerId(),
                producer.epoch(),
                member.id(),
                member.epoch(),
                List.of(new TxnShareAcknowledge.Topic(
                        inId,
                        List.of(new TxnShareAcknowledge.Partition(
                                partition.partition(),
                                List.of(new TxnShareAcknowledge.Batch(first, last, List.of((byte) type))))))));
    }

    /** Ends the transaction and waits until all markers are written. */
    Identity end(Identity producer, boolean commit) {
        Identity next = coordinator().ended(5, ID, producer, commit);
        coordinator().settled(ID);
        return next;
    }

    List<ShareRecord> records() {
        return cluster.shareRecords(GROUP, IN);
    }

    List<ShareRecord.State> states() {
        return records().stream().map(ShareRecord::state).toList();
    }

    void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(condition);
    }

    @Override
    public void close() throws IOException {
        for (TransactionClient connection : connections.values()) {
            connection.close();
        }
        cluster.close();
    }
}
