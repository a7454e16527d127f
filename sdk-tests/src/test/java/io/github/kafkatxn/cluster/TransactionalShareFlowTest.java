package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareFixture.ACCEPT;
import static io.github.kafkatxn.cluster.ShareFixture.GROUP;
import static io.github.kafkatxn.cluster.ShareFixture.ID;
import static io.github.kafkatxn.cluster.ShareFixture.IN;
import static io.github.kafkatxn.cluster.ShareFixture.OUT;
import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.cluster.ShareRecord.State.TX_PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareFixture.Member;
import io.github.kafkatxn.cluster.ShareFixture.Places;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The flow of KIP-1289, step by step: who asks whom, and what is where in between. */
@Timeout(60)
class TransactionalShareFlowTest {
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
