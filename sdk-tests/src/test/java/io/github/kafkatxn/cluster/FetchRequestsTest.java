package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.byId;
import static io.github.kafkatxn.cluster.DataRequests.fetch;
import static io.github.kafkatxn.cluster.DataRequests.only;
import static io.github.kafkatxn.cluster.DataRequests.plain;
import static io.github.kafkatxn.cluster.DataRequests.produce;
import static io.github.kafkatxn.cluster.DataRequests.values;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fetches on the wire: sessions, waits, and partitions that move or are gone. */
@Timeout(30)
class FetchRequestsTest extends DataRequestsSetup {

    @Test
    void aSessionTellsOnlyWhatIsNew() throws Exception {
        FetchRequestData full = fetch(TOPIC, id, 0, 0).setSessionEpoch(0);
        FetchResponseData opened = node0.send(full, 18, FetchResponseData.class);
        assertThat(opened.sessionId()).isNotZero();
        assertThat(only(opened).highWatermark()).isZero();

        FetchResponseData same = node0.send(next(opened, 1), 18, FetchResponseData.class);
        assertThat(same.sessionId()).isEqualTo(opened.sessionId());
        assertThat(same.responses()).isEmpty();

        produceTo(0, plain("a"), 13);
        assertThat(values(only(node0.send(next(opened, 2), 18, FetchResponseData.class))))
                .containsExactly("a");
        FetchRequestData further =
                next(opened, 3).setTopics(fetch(TOPIC, id, 0, 1).topics());
        assertThat(node0.send(further, 18, FetchResponseData.class).responses()).isEmpty();

        FetchRequestData repeated = next(opened, 3);
        assertThat(node0.send(repeated, 18, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH.code());
        assertThat(node0.send(next(opened, 4).setSessionId(4711), 18, FetchResponseData.class)
                        .errorCode())
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
        assertThat(node0.send(next(opened, 4), 12, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR.code());

        FetchRequestData forget = next(opened, 4)
                .setForgottenTopicsData(
                        List.of(new ForgottenTopic().setTopicId(id).setPartitions(List.of(0))));
        assertThat(node0.send(forget, 18, FetchResponseData.class).sessionId()).isZero();
        assertThat(node0.send(next(opened, 5), 18, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
    }

    @Test
    void aFetchWaitsForWhatComes() throws Exception {
        FetchRequestData waiting = fetch(TOPIC, id, 0, 0).setMaxWaitMs(60_000);
        node0.write(waiting, 18);
        try (RawClient other = new RawClient(cluster, 0)) {
            ProduceRequestData request = produce("", id, 0, plain("late"));
            other.send(request, 13, ProduceResponseData.class);
        }
        assertThat(values(only(node0.read(waiting, 18, FetchResponseData.class))))
                .containsExactly("late");
    }

    @Test
    void aFetchThatWaitsLearnsThatItsLeaderHasMoved() throws Exception {
        FetchRequestData waiting = fetch(TOPIC, id, 0, 0).setMaxWaitMs(60_000);
        CompletableFuture<FetchResponseData> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return node0.send(waiting, 18, FetchResponseData.class);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 1);
        FetchResponseData response = answer.get(10, TimeUnit.SECONDS);
        assertThat(only(response).errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(only(response).currentLeader().leaderId()).isEqualTo(1);
        assertThat(only(response).currentLeader().leaderEpoch()).isEqualTo(1);
        assertThat(response.nodeEndpoints().find(1).host()).isEqualTo("localhost");
    }

    @Test
    void theNewLeaderIsNamedWithItsEpoch() throws Exception {
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 1);
        for (int version : new int[] {9, 10, 13}) {
            ProduceRequestData request = byId(produce(TOPIC, id, 0, plain("a")), version);
            ProduceResponseData response = node0.send(request, version, ProduceResponseData.class);
            PartitionProduceResponse part =
                    response.responses().iterator().next().partitionResponses().get(0);
            assertThat(part.errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code());
            assertThat(part.currentLeader().leaderId()).isEqualTo(version >= 10 ? 1 : -1);
            assertThat(response.nodeEndpoints()).hasSize(version >= 10 ? 1 : 0);
        }
        FetchRequestData fenced = fetch(TOPIC, id, 0, 0);
        fenced.topics().get(0).partitions().get(0).setCurrentLeaderEpoch(0);
        FetchRequestData unknown = fetch(TOPIC, id, 0, 0);
        unknown.topics().get(0).partitions().get(0).setCurrentLeaderEpoch(2);
        try (RawClient node1 = new RawClient(cluster, 1)) {
            assertThat(only(node1.send(fenced, 18, FetchResponseData.class)).errorCode())
                    .isEqualTo(Errors.FENCED_LEADER_EPOCH.code());
            assertThat(only(node1.send(unknown, 18, FetchResponseData.class)).errorCode())
                    .isEqualTo(Errors.UNKNOWN_LEADER_EPOCH.code());
        }
    }

    @Test
    void topicsByIdThatAreGone() throws Exception {
        FetchRequestData full = fetch(TOPIC, id, 0, 0).setSessionEpoch(0);
        FetchResponseData opened = node0.send(full, 18, FetchResponseData.class);
        admin.deleteTopics(List.of(TOPIC)).all().get();
        assertThat(produceTo(0, plain("a"), 13).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(only(node0.send(fetch(TOPIC, id, 0, 0), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(only(node0.send(next(opened, 1), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        Uuid again = create(TOPIC, Map.of());
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 0);
        assertThat(again).isNotEqualTo(id);
        assertThat(only(node0.send(next(opened, 2), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.INCONSISTENT_TOPIC_ID.code());
    }

    private static FetchRequestData next(FetchResponseData opened, int epoch) {
        return new FetchRequestData()
                .setMinBytes(1)
                .setMaxBytes(DataRequests.MANY_BYTES)
                .setSessionId(opened.sessionId())
                .setSessionEpoch(epoch);
    }
}
