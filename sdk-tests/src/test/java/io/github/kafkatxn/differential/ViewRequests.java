package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests that only look. */
final class ViewRequests {
    private ViewRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("Describe", "id settled", ViewRequests::describe),
                new Verb("List", "id pid state longer pattern", ViewRequests::list),
                new Verb("Producers", "topic p", ViewRequests::producers),
                new Verb("FindCoordinator", "type key", ViewRequests::findCoordinator));
    }

    /** {@code Describe v0}; {@code settled}: once no markers are being written. */
    private static String describe(Step step, Names names, Wire wire) throws IOException {
        DescribeTransactionsRequestData request =
                new DescribeTransactionsRequestData().setTransactionalIds(List.of(names.of(step.text("id", "t"))));
        TransactionState state = wire.ask(request, step.version(), DescribeTransactionsResponseData.class)
                .transactionStates()
                .get(0);
        if (state.errorCode() != 0) {
            return Errors.forCode(state.errorCode()).name();
        }
        Stream<String> partitions = state.topics().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .sorted()
                        .map(partition -> "in:" + names.shortName(topic.topic()) + "-" + partition));
        return "NONE " + state.transactionState() + " " + names.producerName(state.producerId()) + " e"
                + state.producerEpoch() + " timeout=" + state.transactionTimeoutMs()
                + (state.transactionStartTimeMs() < 0 ? " never-started" : " started")
                + partitions.sorted().map(word -> " " + word).collect(Collectors.joining());
    }

    /** {@code List v2 state=Ongoing,Empty pid=P1 longer=0 pattern=x}: of all ids, those of the scenario. */
    private static String list(Step step, Names names, Wire wire) throws IOException {
        ListTransactionsRequestData request = new ListTransactionsRequestData();
        step.value("state").ifPresent(states -> request.setStateFilters(Arrays.asList(states.split(","))));
        if (step.value("pid").isPresent()) {
            request.setProducerIdFilters(List.of(names.producerId(step)));
        }
        step.value("longer").ifPresent(time -> request.setDurationFilter(Long.parseLong(time)));
        step.value("pattern").ifPresent(request::setTransactionalIdPattern);
        ListTransactionsResponseData answer = wire.ask(request, step.version(), ListTransactionsResponseData.class);
        String unknown = answer.unknownStateFilters().stream()
                .sorted()
                .map(state -> " unknown:" + state)
                .collect(Collectors.joining());
        String ids = answer.transactionStates().stream()
                .filter(state -> names.isOurs(state.transactionalId()))
                .map(state -> " " + names.shortName(state.transactionalId()) + ":" + state.transactionState() + ":"
                        + names.producerName(state.producerId()))
                .sorted()
                .collect(Collectors.joining());
        return Errors.forCode(answer.errorCode()) + unknown + ids;
    }

    /** {@code Producers v0 p0}: the producers a partition remembers. */
    private static String producers(Step step, Names names, Wire wire) throws IOException {
        DescribeProducersRequestData request = new DescribeProducersRequestData();
        request.topics().add(new TopicRequest().setName(names.topic(step)).setPartitionIndexes(step.partitions()));
        PartitionResponse answer = wire.ask(request, step.version(), DescribeProducersResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
        return Errors.forCode(answer.errorCode())
                + answer.activeProducers().stream()
                        .map(producer -> " " + names.producerName(producer.producerId()) + ":e"
                                + producer.producerEpoch() + ":s" + producer.lastSequence() + ":ce"
                                + producer.coordinatorEpoch() + ":open@" + producer.currentTxnStartOffset())
                        .sorted()
                        .collect(Collectors.joining());
    }

    /** {@code FindCoordinator v4 type=1 key=x}. */
    private static String findCoordinator(Step step, Names names, Wire wire) throws IOException {
        String key = names.of(step.text("key", "t"));
        FindCoordinatorRequestData request = new FindCoordinatorRequestData().setKeyType((byte) step.number("type", 1));
        if (step.version() < 4) {
            request.setKey(key);
        } else {
            request.setCoordinatorKeys(List.of(key));
        }
        FindCoordinatorResponseData answer = wire.ask(request, step.version(), FindCoordinatorResponseData.class);
        if (step.version() < 4) {
            return words(answer.errorCode(), answer.nodeId(), answer.port());
        }
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        Coordinator coordinator = answer.coordinators().get(0);
        return words(coordinator.errorCode(), coordinator.nodeId(), coordinator.port());
    }

    private static String words(short error, int node, int port) {
        return Errors.forCode(error) + (node < 0 ? " nobody" : " a-node") + (port < 0 ? " nowhere" : " somewhere");
    }
}
