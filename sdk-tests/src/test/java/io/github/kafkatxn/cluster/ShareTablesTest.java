package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgePartition;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a share group answers to requests sent by hand, as it was measured with Apache Kafka: the same table holds for
 * the reference cluster and for a real broker, which is the judge.
 */
@Timeout(180)
class ShareTablesTest {
    private static final String GROUP = "share-tables";
    private static final String TOPIC = "share-tables";
    private static final List<String> TABLE = List.of(
            "S0 INVALID_REQUEST",
            "S1 epoch 9: FENCED_MEMBER_EPOCH",
            "S1 unknown member: UNKNOWN_MEMBER_ID",
            "S2 no session: SHARE_SESSION_NOT_FOUND",
            "S2 acknowledge at 0: INVALID_SHARE_SESSION_EPOCH",
            "S2 fetch at 0 acknowledging: INVALID_REQUEST",
            "R1 0-0x1 1-1x1 2-2x1 3-3x1 4-4x1 5-5x1",
            "R2 accept 0-1: NONE",
            "R2 again: NONE",
            "R2 accept 1-2: NONE",
            "R4 release 3, reject 4: NONE",
            "R4b reject 4: INVALID_RECORD_STATE",
            "R4b accept 3: INVALID_RECORD_STATE",
            "R4b accept 3-5: INVALID_RECORD_STATE",
            "R4e accept 5: NONE",
            "R5 INVALID_SHARE_SESSION_EPOCH",
            "R6 3-3x2 6-6x1",
            "R7 renew in v1: INVALID_REQUEST",
            "R7 renew without isRenewAck: INVALID_REQUEST",
            "R7c renew 6: NONE",
            "R7e renew beyond: INVALID_REQUEST",
            "S8e accept 500-501: INVALID_REQUEST",
            "R8 ack=NONE",
            "R10 7-7x1 8-8x1 9-9x1",
            "R11 gap 3: NONE",
            "R11 again: NONE",
            "R12 nothing",
            "R12 accept 7: INVALID_RECORD_STATE",
            "R13 accept 7: NONE",
            "R14 first member: SHARE_SESSION_NOT_FOUND",
            "R15 accept 8, last: NONE",
            "R15 next: SHARE_SESSION_NOT_FOUND",
            "S8f never fetched: UNKNOWN_TOPIC_OR_PARTITION",
            "S8f unknown: UNKNOWN_TOPIC_OR_PARTITION",
            "S8c first > last: INVALID_REQUEST",
            "S8c two types for four: INVALID_REQUEST",
            "R23 UNKNOWN_SERVER_ERROR",
            "R21 0-1x1",
            "R21 release: NONE",
            "R21 0-0x2",
            "R21 1-1x2 2-2x1");

    private final List<String> answers = new ArrayList<>();
    private Uuid topicId = Uuid.ZERO_UUID;

    @Test
    void theReferenceCluster() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start()) {
            assertThat(run(cluster.bootstrapServers())).isEqualTo(TABLE);
        }
    }

    @Test
    void apacheKafka() throws Exception {
        assertThat(run(ApacheKafka.shared(2).bootstrapServers())).isEqualTo(TABLE);
    }

    private List<String> run(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            ShareClients.configure(admin, GROUP, Map.of("share.auto.offset.reset", "earliest"));
            topicId = Objects.requireNonNull(admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 1)))
                    .topicId(TOPIC)
                    .get());
        }
        ShareClients.produce(bootstrap, TOPIC, 0, 0, 10);
        ShareClients.produceMany(bootstrap, TOPIC, 1, 4);
        try (RawClient first = new RawClient(bootstrap);
                RawClient second = new RawClient(bootstrap)) {
            members(first);
            records(first, second);
            recordLimit(second);
        }
        return answers;
    }

    private void members(RawClient at) throws IOException {
        FindCoordinatorRequestData share =
                new FindCoordinatorRequestData().setKeyType((byte) 2).setCoordinatorKeys(List.of("justgroup"));
        tell(
                "S0",
                error(at.send(share, 6, FindCoordinatorResponseData.class)
                        .coordinators()
                        .get(0)
                        .errorCode()));
        Awaitility.await().pollInSameThread().until(() -> heartbeat(at, "m", 0).errorCode() == 0);
        Awaitility.await().pollInSameThread().until(() -> {
            ShareGroupHeartbeatResponseData answer = heartbeat(at, "m", 0);
            return answer.assignment() != null
                    && answer.assignment().topicPartitions().stream()
                            .anyMatch(topic -> topic.partitions().size() == 3);
        });
        tell("S1 epoch 9:", error(heartbeat(at, "m", 9).errorCode()));
        tell("S1 unknown member:", error(heartbeat(at, "nobody", 1).errorCode()));
    }

    private void records(RawClient first, RawClient second) throws IOException {
        tell("S2 no session:", fetch(first, "m", 3, 0, request -> {}));
        tell("S2 acknowledge at 0:", ack(first, 1, "m", 0, 0, 0, 0, 1));
        tell("S2 fetch at 0 acknowledging:", fetch(first, "m", 0, 0, request -> acknowledging(request, 0, 0, 1)));
        tell("R1", fetch(first, "m", 0, 0, request -> request.setMaxRecords(6)));
        tell("R2 accept 0-1:", ack(first, 1, "m", 1, 0, 0, 1, 1));
        tell("R2 again:", ack(first, 1, "m", 2, 0, 0, 1, 1));
        tell("R2 accept 1-2:", ack(first, 1, "m", 3, 0, 1, 2, 1));
        tell("R4 release 3, reject 4:", ack(first, 1, "m", 4, 0, 3, 4, 2, 3));
        tell("R4b reject 4:", ack(first, 1, "m", 5, 0, 4, 4, 3));
        tell("R4b accept 3:", ack(first, 1, "m", 6, 0, 3, 3, 1));
        tell("R4b accept 3-5:", ack(first, 1, "m", 7, 0, 3, 5, 1));
        tell("R4e accept 5:", ack(first, 1, "m", 8, 0, 5, 5, 1));
        tell("R5", ack(first, 1, "m", 8, 0, 5, 5, 1));
        tell("R6", fetch(first, "m", 9, 0, request -> request.setMaxRecords(2)));
        tell("R7 renew in v1:", ack(first, 1, "m", 10, 0, 6, 6, 4));
        tell("R7 renew without isRenewAck:", ack(first, 2, "m", 11, 0, 6, 6, 4));
        tell("R7c renew 6:", renew(first, "m", 12, 6));
        tell("R7e renew beyond:", renew(first, "m", 13, 77));
        tell("S8e accept 500-501:", ack(first, 2, "m", 14, 0, 500, 501, 1));
        tell(
                "R8",
                fetch(
                        first,
                        "m",
                        15,
                        0,
                        request -> acknowledging(request, 3, 3, 4)
                                .setIsRenewAck(true)
                                .setMaxBytes(0)
                                .setMaxRecords(0)));
        tell("R10", fetch(first, "m", 16, 0, request -> {}));
        tell("R11 gap 3:", ack(first, 2, "m", 17, 0, 3, 3, 0));
        tell("R11 again:", ack(first, 2, "m", 18, 0, 3, 3, 0));
        tell("R12", fetch(second, "other", 0, 0, request -> {}));
        tell("R12 accept 7:", ack(second, 2, "other", 1, 0, 7, 7, 1));
        tell("R13 accept 7:", ack(second, 2, "m", 19, 0, 7, 7, 1));
        first.close();
        int[] epoch = {2};
        Awaitility.await()
                .pollInSameThread()
                .until(() ->
                        fetch(second, "other", epoch[0]++, 0, request -> {}).contains("8-8x2"));
        tell("R14 first member:", ack(second, 2, "m", 20, 0, 9, 9, 1));
        tell("R15 accept 8, last:", ack(second, 2, "other", -1, 0, 8, 8, 1));
        tell("R15 next:", ack(second, 2, "other", epoch[0], 0, 9, 9, 1));
    }

    private void recordLimit(RawClient at) throws IOException {
        fetch(at, "m2", 0, 0, request -> {});
        tell("S8f never fetched:", ack(at, 2, "m2", 1, 2, 0, 0, 1));
        tell("S8f unknown:", ack(at, 2, "m2", 2, 99, 0, 0, 1));
        tell("S8c first > last:", ack(at, 2, "m2", 3, 0, 9, 8, 1));
        tell("S8c two types for four:", ack(at, 2, "m2", 4, 0, 6, 9, 1, 1));
        tell("R23", fetch(at, "m2", 5, 1, request -> request.setShareAcquireMode((byte) 7)));
        tell(
                "R21",
                fetch(
                        at,
                        "m3",
                        0,
                        1,
                        request -> request.setShareAcquireMode((byte) 1).setMaxRecords(2)));
        tell("R21 release:", ack(at, 2, "m3", 1, 1, 0, 1, 2));
        tell(
                "R21",
                fetch(
                        at,
                        "m3",
                        2,
                        1,
                        request -> request.setShareAcquireMode((byte) 1).setMaxRecords(1)));
        tell(
                "R21",
                fetch(
                        at,
                        "m3",
                        3,
                        1,
                        request -> request.setShareAcquireMode((byte) 1).setMaxRecords(2)));
    }

    private void tell(String step, String answer) {
        answers.add(step + " " + answer);
    }

    private static String error(short code) {
        return Errors.forCode(code).name();
    }

    private static ShareGroupHeartbeatResponseData heartbeat(RawClient at, String member, int epoch)
            throws IOException {
        FindCoordinatorRequestData group =
                new FindCoordinatorRequestData().setKeyType((byte) 0).setCoordinatorKeys(List.of(GROUP));
        at.send(group, 4, FindCoordinatorResponseData.class);
        ShareGroupHeartbeatRequestData request = new ShareGroupHeartbeatRequestData()
                .setGroupId(GROUP)
                .setMemberId(member)
                .setMemberEpoch(epoch);
        return at.send(
                epoch == 0 ? request.setSubscribedTopicNames(List.of(TOPIC)) : request,
                1,
                ShareGroupHeartbeatResponseData.class);
    }

    private interface Change {
        void make(ShareFetchRequestData request);
    }

    private String fetch(RawClient at, String member, int sessionEpoch, int partition, Change change)
            throws IOException {
        FetchTopic topic = new FetchTopic().setTopicId(topicId);
        topic.partitions().add(new FetchPartition().setPartitionIndex(partition));
        ShareFetchRequestData request = new ShareFetchRequestData()
                .setGroupId(GROUP)
                .setMemberId(member)
                .setShareSessionEpoch(sessionEpoch)
                .setMaxBytes(1 << 20)
                .setMaxRecords(500)
                .setBatchSize(1);
        request.topics().add(topic);
        change.make(request);
        // The first fetch of a partition reads its state, which a broker does not wait for.
        request.setMaxWaitMs(request.isRenewAck() ? 0 : 500);
        ShareFetchResponseData answer = at.send(request, 2, ShareFetchResponseData.class);
        if (answer.errorCode() != 0) {
            return error(answer.errorCode());
        }
        List<PartitionData> data = answer.responses().stream()
                .flatMap(each -> each.partitions().stream())
                .toList();
        String acks = data.stream()
                .filter(each -> request.isRenewAck())
                .map(each -> "ack=" + error(each.acknowledgeErrorCode()))
                .collect(Collectors.joining(" "));
        String ranges = data.stream()
                .flatMap(each -> each.acquiredRecords().stream())
                .map(range -> range.firstOffset() + "-" + range.lastOffset() + "x" + range.deliveryCount())
                .collect(Collectors.joining(" "));
        String told = (acks + " " + ranges).trim();
        return told.isEmpty() ? "nothing" : told;
    }

    private static ShareFetchRequestData acknowledging(ShareFetchRequestData request, long first, long last, int type) {
        request.topics()
                .iterator()
                .next()
                .partitions()
                .iterator()
                .next()
                .setAcknowledgementBatches(List.of(new ShareFetchRequestData.AcknowledgementBatch()
                        .setFirstOffset(first)
                        .setLastOffset(last)
                        .setAcknowledgeTypes(List.of((byte) type))));
        return request;
    }

    private String renew(RawClient at, String member, int sessionEpoch, long offset) throws IOException {
        return ask(at, 2, request(member, sessionEpoch, 0, offset, offset, 4).setIsRenewAck(true));
    }

    private String ack(
            RawClient at, int version, String member, int epoch, int partition, long first, long last, int... types)
            throws IOException {
        return ask(at, version, request(member, epoch, partition, first, last, types));
    }

    private ShareAcknowledgeRequestData request(
            String member, int sessionEpoch, int partition, long first, long last, int... types) {
        List<Byte> bytes = new ArrayList<>();
        for (int type : types) {
            bytes.add((byte) type);
        }
        AcknowledgeTopic topic = new AcknowledgeTopic().setTopicId(topicId);
        topic.partitions()
                .add(new AcknowledgePartition()
                        .setPartitionIndex(partition)
                        .setAcknowledgementBatches(List.of(new ShareAcknowledgeRequestData.AcknowledgementBatch()
                                .setFirstOffset(first)
                                .setLastOffset(last)
                                .setAcknowledgeTypes(bytes))));
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(GROUP)
                .setMemberId(member)
                .setShareSessionEpoch(sessionEpoch);
        request.topics().add(topic);
        return request;
    }

    private static String ask(RawClient at, int version, ShareAcknowledgeRequestData request) throws IOException {
        ShareAcknowledgeResponseData answer = at.send(request, version, ShareAcknowledgeResponseData.class);
        return error(
                answer.errorCode() != 0
                        ? answer.errorCode()
                        : answer.responses()
                                .iterator()
                                .next()
                                .partitions()
                                .get(0)
                                .errorCode());
    }
}
