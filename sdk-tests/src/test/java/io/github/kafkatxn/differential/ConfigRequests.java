package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests of administrators: what topics are created with, configurations, the cluster. */
final class ConfigRequests {
    private ConfigRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("TryTopic", "name partitions factor assign set twice for-real", ConfigRequests::create),
                new Verb("Alter", "type name set delete append subtract op twice validateOnly", ConfigRequests::alter),
                new Verb("Configs", "type name keys me", ConfigRequests::describe),
                new Verb("DescribeCluster", "endpoints operations", ConfigRequests::cluster));
    }

    /**
     * {@code TryTopic v7 name=x partitions=2 factor=1 assign=0:me,1:me+7 set=retention.ms:5 twice}: assigned are nodes
     * to partitions, {@code me} is the one that is asked; no topic is created but {@code for-real}.
     */
    private static String create(Step step, Names names, Wire wire) throws IOException {
        CreateTopicsRequestData request =
                new CreateTopicsRequestData().setTimeoutMs(10_000).setValidateOnly(!step.has("for-real"));
        int node = node(wire);
        for (int i = 0; i < (step.has("twice") ? 2 : 1); i++) {
            CreatableTopic topic = new CreatableTopic()
                    .setName(name(step, names))
                    .setNumPartitions(step.number("partitions", -1))
                    .setReplicationFactor((short) step.number("factor", -1));
            pairs(step, "set")
                    .forEach(pair -> topic.configs()
                            .add(new CreatableTopicConfig().setName(pair[0]).setValue(value(pair[1]))));
            pairs(step, "assign")
                    .forEach(pair -> topic.assignments()
                            .add(new CreatableReplicaAssignment()
                                    .setPartitionIndex(Integer.parseInt(pair[0]))
                                    .setBrokerIds(nodes(pair[1], node))));
            request.topics().add(topic);
        }
        CreateTopicsResponseData answer = wire.ask(request, step.version(), CreateTopicsResponseData.class);
        CreatableTopicResult topic = answer.topics().iterator().next();
        String configs = topic.configs() == null
                ? "none"
                : topic.configs().stream()
                        .filter(config -> config.configSource() == 1)
                        .map(config -> config.name() + ":" + config.value())
                        .sorted()
                        .collect(Collectors.joining(","));
        return Errors.forCode(topic.errorCode()) + " of" + answer.topics().size() + " partitions"
                + topic.numPartitions() + " factor" + topic.replicationFactor() + " configs:" + configs + ":"
                + topic.topicConfigErrorCode() + (topic.topicId().equals(Uuid.ZERO_UUID) ? " no-id" : " id");
    }

    /** {@code Alter v1 type=TOPIC name=x set=a:1,b:2 delete=c append=d:3 subtract=e:4 op=9}: the last one sets. */
    private static String alter(Step step, Names names, Wire wire) throws IOException {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type(step)).setResourceName(name(step, names));
        add(resource, step, "set", (byte) step.number("op", OpType.SET.id()));
        add(resource, step, "delete", OpType.DELETE.id());
        add(resource, step, "append", OpType.APPEND.id());
        add(resource, step, "subtract", OpType.SUBTRACT.id());
        IncrementalAlterConfigsRequestData request =
                new IncrementalAlterConfigsRequestData().setValidateOnly(step.has("validateOnly"));
        request.resources().add(resource);
        if (step.has("twice")) {
            request.resources().add(resource.duplicate());
        }
        return wire.ask(request, step.version(), IncrementalAlterConfigsResponseData.class).responses().stream()
                .map(answer -> Errors.forCode(answer.errorCode()).name())
                .collect(Collectors.joining(" "));
    }

    private static void add(AlterConfigsResource resource, Step step, String operation, byte code) {
        pairs(step, operation)
                .forEach(pair -> resource.configs()
                        .add(new AlterableConfig()
                                .setName(pair[0])
                                .setConfigOperation(code)
                                .setValue(value(pair[1]))));
    }

    /**
     * {@code Configs v4 type=TOPIC name=x keys=a,b}, {@code Configs v4 type=BROKER me}: each with its value, and where
     * that comes from.
     */
    private static String describe(Step step, Names names, Wire wire) throws IOException {
        DescribeConfigsRequestData request = new DescribeConfigsRequestData()
                .setResources(List.of(new DescribeConfigsResource()
                        .setResourceType(type(step))
                        .setResourceName(step.has("me") ? Integer.toString(node(wire)) : name(step, names))
                        .setConfigurationKeys(step.value("keys")
                                .map(keys -> Arrays.asList(keys.split(",")))
                                .orElse(null))));
        DescribeConfigsResult answer = wire.ask(request, step.version(), DescribeConfigsResponseData.class)
                .results()
                .get(0);
        return Errors.forCode(answer.errorCode())
                + answer.configs().stream()
                        .map(config -> " " + config.name() + ":" + config.value() + ":source" + config.configSource()
                                + ":type" + config.configType() + (config.readOnly() ? ":read-only" : "")
                                + (config.isSensitive() ? ":sensitive" : ""))
                        .sorted()
                        .collect(Collectors.joining());
    }

    /** {@code DescribeCluster v2 endpoints=1 operations}. */
    private static String cluster(Step step, Names names, Wire wire) throws IOException {
        DescribeClusterRequestData request = new DescribeClusterRequestData()
                .setIncludeClusterAuthorizedOperations(step.has("operations"))
                .setEndpointType((byte) step.number("endpoints", 1));
        DescribeClusterResponseData answer = wire.ask(request, step.version(), DescribeClusterResponseData.class);
        return Errors.forCode(answer.errorCode()) + " endpoints" + answer.endpointType() + " brokers"
                + answer.brokers().size() + " operations"
                + Integer.toHexString(answer.clusterAuthorizedOperations());
    }

    private static byte type(Step step) {
        String type = step.text("type", "TOPIC");
        return type.matches("\\d+")
                ? Byte.parseByte(type)
                : ConfigResource.Type.valueOf(type).id();
    }

    private static String name(Step step, Names names) {
        return names.of(step.text("name", "topic"));
    }

    private static List<Integer> nodes(String text, int me) {
        return Arrays.stream(text.split("\\+"))
                .map(node -> node.equals("me") ? me : Integer.parseInt(node))
                .toList();
    }

    /** The node that is asked, which is the only one. */
    private static int node(Wire wire) throws IOException {
        return wire.ask(new DescribeClusterRequestData(), 0, DescribeClusterResponseData.class)
                .brokers()
                .iterator()
                .next()
                .brokerId();
    }

    private static Stream<String[]> pairs(Step step, String key) {
        return step.value(key).stream()
                .flatMap(pairs -> Arrays.stream(pairs.split(",")))
                .map(pair -> pair.contains(":") ? pair.split(":", 2) : new String[] {pair, "null"});
    }

    private static @Nullable String value(String text) {
        return text.equals("null") ? null : text;
    }
}
