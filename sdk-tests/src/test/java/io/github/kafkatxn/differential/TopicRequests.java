package io.github.kafkatxn.differential;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Topics that come and go while a scenario runs. The answer comes when all of the node has heard of it. */
final class TopicRequests {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BY_NAME = 8;

    private TopicRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("CreateTopic", "topic partitions", TopicRequests::create),
                new Verb("DeleteTopic", "topic partitions groups", TopicRequests::delete));
    }

    /** {@code CreateTopic v7 topic=x partitions=3}: and waits until they are led. */
    private static String create(Step step, Names names, Wire wire) throws IOException {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(10_000);
        request.topics()
                .add(new CreatableTopic()
                        .setName(names.topic(step))
                        .setNumPartitions(step.number("partitions", 1))
                        .setReplicationFactor((short) 1));
        CreatableTopicResult answer = wire.ask(request, step.version(), CreateTopicsResponseData.class)
                .topics()
                .iterator()
                .next();
        if (answer.errorCode() == 0) {
            names.created(step, answer.topicId());
            await(() -> leaders(step, names, wire).allMatch(error -> error == Errors.NONE));
        }
        return Errors.forCode(answer.errorCode()).name();
    }

    /** {@code DeleteTopic v6 topic=x partitions=3 groups=g,h}: and waits until those groups have no offset of it. */
    private static String delete(Step step, Names names, Wire wire) throws IOException {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData()
                .setTimeoutMs(10_000)
                .setTopics(List.of(new DeleteTopicState().setName(names.topic(step))));
        short error = wire.ask(request, step.version(), DeleteTopicsResponseData.class)
                .responses()
                .iterator()
                .next()
                .errorCode();
        if (error == 0) {
            await(() -> leaders(step, names, wire).allMatch(now -> now == Errors.UNKNOWN_TOPIC_OR_PARTITION));
            for (String group : step.text("groups", "g").split(",", -1)) {
                await(() -> hasNoOffset(names.of(group), step, names, wire));
            }
        }
        return Errors.forCode(error).name();
    }

    private static Stream<Errors> leaders(Step step, Names names, Wire wire) throws IOException {
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(names.topic(step))
                        .setPartitions(partitions(step)
                                .map(index -> new ListOffsetsPartition()
                                        .setPartitionIndex(index)
                                        .setTimestamp(-1))
                                .toList())));
        return wire.ask(request, BY_NAME, ListOffsetsResponseData.class).topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition -> Errors.forCode(partition.errorCode()));
    }

    private static boolean hasNoOffset(String group, Step step, Names names, Wire wire) throws IOException {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setRequireStable(true)
                .setGroups(List.of(new OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setTopics(List.of(new OffsetFetchRequestTopics()
                                .setName(names.topic(step))
                                .setPartitionIndexes(partitions(step).toList())))));
        return wire.ask(request, BY_NAME, OffsetFetchResponseData.class).groups().get(0).topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.errorCode() == 0 && partition.committedOffset() == -1);
    }

    private static Stream<Integer> partitions(Step step) {
        return IntStream.range(0, step.number("partitions", 1)).boxed();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }
}
