package io.github.kafkatxn.cluster.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error for the topics or partitions that are selected only; the rest of the request is handled. */
@Timeout(30)
@WithKafka
class PartialAnswersTest {
    private final Map<String, Uuid> ids = new HashMap<>();
    private ReferenceCluster cluster;
    private RawClient client;

    @BeforeEach
    void connect(ReferenceCluster started) throws IOException {
        cluster = started;
        client = RawClient.of(started);
        assertThat(create("orders", "others")).containsExactly("orders NONE", "others NONE");
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 10})
    void offsetsOfOnePartitionAreNotStable(int version) throws IOException {
        awaitGroupCoordinator();
        refuse(ApiKeys.OFFSET_FETCH, "orders", 1, Errors.UNSTABLE_OFFSET_COMMIT);
        OffsetFetchRequestData request = new OffsetFetchRequestData();
        if (version < 8) {
            request.setGroupId("g")
                    .setTopics(List.of(
                            new OffsetFetchRequestData.OffsetFetchRequestTopic()
                                    .setName("orders")
                                    .setPartitionIndexes(indexes(0, 1)),
                            new OffsetFetchRequestData.OffsetFetchRequestTopic()
                                    .setName("others")
                                    .setPartitionIndexes(indexes(1))));
        } else {
            request.setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                    .setGroupId("g")
                    .setTopics(List.of(fetched("orders", version, 0, 1), fetched("others", version, 1)))));
        }

        OffsetFetchResponseData answer = client.send(request, version, OffsetFetchResponseData.class);

        assertThat(answer.errorCode()).isZero();
        Stream<String> partitions = answer.topics().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(part -> topic.name() + "-" + part.partitionIndex() + " " + Errors.forCode(part.errorCode())
                                + " " + part.committedOffset()));
        if (version >= 8) {
            OffsetFetchResponseGroup group = answer.groups().get(0);
            assertThat(group.errorCode()).isZero();
            partitions = group.topics().stream()
                    .flatMap(topic -> topic.partitions().stream()
                            .map(part -> (version < 10 ? topic.name() : name(topic.topicId())) + "-"
                                    + part.partitionIndex() + " " + Errors.forCode(part.errorCode()) + " "
                                    + part.committedOffset()));
        }
        assertThat(partitions)
                .containsExactly("orders-0 NONE -1", "orders-1 UNSTABLE_OFFSET_COMMIT -1", "others-1 NONE -1");
    }

    @Test
    void endsOfEpochs() throws IOException {
        refuse(ApiKeys.OFFSET_FOR_LEADER_EPOCH, "orders", 1, Errors.FENCED_LEADER_EPOCH);
        OffsetForLeaderEpochRequestData request = new OffsetForLeaderEpochRequestData();
        request.topics()
                .add(new OffsetForLeaderTopic()
                        .setTopic("orders")
                        .setPartitions(List.of(
                                new OffsetForLeaderPartition().setPartition(0),
                                new OffsetForLeaderPartition().setPartition(1))));

        assertThat(client.send(request, 4, OffsetForLeaderEpochResponseData.class).topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .map(part -> part.partition() + " " + Errors.forCode(part.errorCode())))
                .containsExactly("0 NONE", "1 FENCED_LEADER_EPOCH");
    }

    @Test
    void deletedRecords() throws IOException {
        refuse(ApiKeys.DELETE_RECORDS, "orders", 1, Errors.OFFSET_OUT_OF_RANGE);
        DeleteRecordsRequestData request = new DeleteRecordsRequestData()
                .setTimeoutMs(1000)
                .setTopics(List.of(new DeleteRecordsTopic()
                        .setName("orders")
                        .setPartitions(List.of(
                                new DeleteRecordsPartition().setPartitionIndex(0),
                                new DeleteRecordsPartition().setPartitionIndex(1)))));

        assertThat(client.send(request, 2, DeleteRecordsResponseData.class).topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .map(part -> part.partitionIndex() + " " + Errors.forCode(part.errorCode())))
                .containsExactly("0 NONE", "1 OFFSET_OUT_OF_RANGE");
    }

    @Test
    void producersOfPartitions() throws IOException {
        refuse(ApiKeys.DESCRIBE_PRODUCERS, "orders", 1, Errors.NOT_LEADER_OR_FOLLOWER);
        DescribeProducersRequestData request = new DescribeProducersRequestData();
        request.topics()
                .add(new DescribeProducersRequestData.TopicRequest()
                        .setName("orders")
                        .setPartitionIndexes(indexes(0, 1)));

        assertThat(client.send(request, 0, DescribeProducersResponseData.class).topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .map(part -> part.partitionIndex() + " " + Errors.forCode(part.errorCode())))
                .containsExactly("0 NONE", "1 NOT_LEADER_OR_FOLLOWER");
    }

    @Test
    void topicsThatAreMadeEnlargedDescribedAndDeleted() throws IOException {
        cluster.faults().on(ApiKeys.CREATE_TOPICS).topic("bad").answerWith(Errors.POLICY_VIOLATION);
        assertThat(create("bad", "good")).containsExactly("good NONE", "bad POLICY_VIOLATION");

        cluster.faults().on(ApiKeys.CREATE_PARTITIONS).topic("orders").answerWith(Errors.POLICY_VIOLATION);
        CreatePartitionsRequestData enlarge = new CreatePartitionsRequestData().setTimeoutMs(1000);
        Stream.of("orders", "others")
                .forEach(topic -> enlarge.topics()
                        .add(new CreatePartitionsTopic()
                                .setName(topic)
                                .setCount(3)
                                .setAssignments(null)));
        assertThat(client.send(enlarge, 3, CreatePartitionsResponseData.class).results().stream()
                        .map(topic -> topic.name() + " " + Errors.forCode(topic.errorCode())))
                .containsExactly("others NONE", "orders POLICY_VIOLATION");

        cluster.faults()
                .on(ApiKeys.DESCRIBE_TOPIC_PARTITIONS)
                .topic("orders")
                .answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);
        DescribeTopicPartitionsRequestData describe = new DescribeTopicPartitionsRequestData()
                .setTopics(Stream.of("orders", "others")
                        .map(topic -> new DescribeTopicPartitionsRequestData.TopicRequest().setName(topic))
                        .toList());
        assertThat(client.send(describe, 0, DescribeTopicPartitionsResponseData.class).topics().stream()
                        .map(topic -> topic.name() + " " + Errors.forCode(topic.errorCode()) + " "
                                + topic.partitions().size()))
                .containsExactly("others NONE 3", "orders TOPIC_AUTHORIZATION_FAILED 0");

        cluster.faults().on(ApiKeys.DELETE_TOPICS).topic("orders").answerWith(Errors.TOPIC_DELETION_DISABLED);
        DeleteTopicsRequestData delete = new DeleteTopicsRequestData()
                .setTimeoutMs(1000)
                .setTopics(Stream.of("orders", "others")
                        .map(topic -> new DeleteTopicState().setName(topic))
                        .toList());
        assertThat(client.send(delete, 6, DeleteTopicsResponseData.class).responses().stream()
                        .map(topic -> topic.name() + " " + Errors.forCode(topic.errorCode())))
                .containsExactly("others NONE", "orders TOPIC_DELETION_DISABLED");
        assertThat(cluster.leader(new TopicPartition("orders", 1))).isZero();
    }

    /** Whoever asks by name does not name an id. */
    @Test
    void aTopicIsSelectedByTheIdThatIsAskedFor() throws IOException {
        FaultRule rule = cluster.faults()
                .on(ApiKeys.METADATA)
                .topicId(id("orders"))
                .everyTime()
                .answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);

        assertThat(described(12, List.of(named("orders")))).containsExactly("orders " + id("orders") + " NONE 2");
        assertThat(described(12, List.of(byId("others")))).containsExactly("others " + id("others") + " NONE 2");
        assertThat(rule.hits()).isZero();

        assertThat(described(12, List.of(byId("orders"), byId("others"))))
                .containsExactlyInAnyOrder(
                        "null " + id("orders") + " TOPIC_AUTHORIZATION_FAILED 0", "others " + id("others") + " NONE 2");
        assertThat(rule.hits()).isOne();
    }

    /** As Apache Kafka does it: who may not see a topic does not learn its id by its name, nor its name by its id. */
    @ParameterizedTest
    @ValueSource(ints = {9, 10, 12, 13})
    void aTopicThatIsRefusedIsNotShown(int version) throws IOException {
        cluster.faults().on(ApiKeys.METADATA).topic("orders").everyTime().answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);

        assertThat(described(version, List.of(named("orders"), named("others"))))
                .containsExactlyInAnyOrder(
                        "orders AAAAAAAAAAAAAAAAAAAAAA TOPIC_AUTHORIZATION_FAILED 0",
                        "others " + (version < 10 ? Uuid.ZERO_UUID : id("others")) + " NONE 2");
        if (version >= 12) {
            assertThat(described(version, List.of(byId("orders"), named("others"))))
                    .containsExactlyInAnyOrder(
                            "null " + id("orders") + " TOPIC_AUTHORIZATION_FAILED 0",
                            "others " + id("others") + " NONE 2");
        }
    }

    private List<String> described(int version, List<MetadataRequestTopic> topics) throws IOException {
        return client
                .send(
                        new MetadataRequestData().setTopics(topics).setAllowAutoTopicCreation(false),
                        version,
                        MetadataResponseData.class)
                .topics()
                .stream()
                .map(topic -> topic.name() + " " + topic.topicId() + " " + Errors.forCode(topic.errorCode()) + " "
                        + topic.partitions().size())
                .toList();
    }

    private MetadataRequestTopic byId(String topic) {
        return new MetadataRequestTopic().setName(null).setTopicId(id(topic));
    }

    private static MetadataRequestTopic named(String topic) {
        return new MetadataRequestTopic().setName(topic);
    }

    private void refuse(ApiKeys key, String topic, int partition, Errors error) {
        cluster.faults().on(key).topic(topic).partition(partition).answerWith(error);
    }

    private List<String> create(String... topics) throws IOException {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(10_000);
        Stream.of(topics)
                .forEach(topic -> request.topics()
                        .add(new CreatableTopic()
                                .setName(topic)
                                .setNumPartitions(2)
                                .setReplicationFactor((short) 1)));
        CreateTopicsResponseData answer = client.send(request, 7, CreateTopicsResponseData.class);
        answer.topics().forEach(topic -> ids.put(topic.name(), topic.topicId()));
        return answer.topics().stream()
                .map(topic -> topic.name() + " " + Errors.forCode(topic.errorCode()))
                .toList();
    }

    private OffsetFetchRequestData.OffsetFetchRequestTopics fetched(String topic, int version, Integer... partitions) {
        return new OffsetFetchRequestData.OffsetFetchRequestTopics()
                .setName(version < 10 ? topic : "")
                .setTopicId(version < 10 ? Uuid.ZERO_UUID : id(topic))
                .setPartitionIndexes(indexes(partitions));
    }

    private static List<Integer> indexes(Integer... partitions) {
        return new ArrayList<>(List.of(partitions));
    }

    private void awaitGroupCoordinator() throws IOException {
        FindCoordinatorRequestData request = new FindCoordinatorRequestData().setKey("g");
        while (client.send(request, 1, FindCoordinatorResponseData.class).errorCode() != Errors.NONE.code()) {
            Thread.onSpinWait();
        }
    }

    private Uuid id(String topic) {
        return requireNonNull(ids.get(topic));
    }

    private String name(Uuid id) {
        return ids.entrySet().stream()
                .filter(entry -> entry.getValue().equals(id))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
