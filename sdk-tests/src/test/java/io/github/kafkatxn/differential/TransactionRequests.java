package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests that change transactions. */
final class TransactionRequests {
    private TransactionRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("Init", "id pid e timeout times", TransactionRequests::init),
                new Verb("EndTxn", "id pid e COMMIT ABORT", TransactionRequests::end),
                new Verb("AddPartitions", "id pid e topic p verifyOnly", TransactionRequests::addPartitions),
                new Verb("AddOffsets", "id pid e g", TransactionRequests::addOffsets),
                new Verb("Markers", "id pid e topic p COMMIT ABORT tv ce", TransactionRequests::markers));
    }

    /** {@code Init v5 timeout=60000 pid=P1 e0 times=1}: without pid and e nothing is expected. */
    private static String init(Step step, Names names, Wire wire) throws IOException {
        InitProducerIdRequestData request = new InitProducerIdRequestData()
                .setTransactionalId(names.transactionalId(step))
                .setTransactionTimeoutMs(step.number("timeout", 60_000));
        if (step.value("pid").isPresent()) {
            request.setProducerId(names.producerId(step));
        }
        if (step.value("e").isPresent()) {
            request.setProducerEpoch(names.epoch(step));
        }
        InitProducerIdResponseData answer = wire.askAgainAndAgain(
                request, step.version(), step.number("times", 1), InitProducerIdResponseData.class);
        return identity(step, names, answer.errorCode(), answer.producerId(), answer.producerEpoch());
    }

    /** {@code EndTxn v5 COMMIT e0}. */
    private static String end(Step step, Names names, Wire wire) throws IOException {
        EndTxnRequestData request = new EndTxnRequestData()
                .setTransactionalId(names.transactionalId(step))
                .setProducerId(names.producerId(step))
                .setProducerEpoch(names.epoch(step))
                .setCommitted(commits(step));
        EndTxnResponseData answer = wire.ask(request, step.version(), EndTxnResponseData.class);
        return identity(step, names, answer.errorCode(), answer.producerId(), answer.producerEpoch());
    }

    private static boolean commits(Step step) {
        if (step.has("COMMIT") == step.has("ABORT")) {
            throw step.wrong("either COMMIT or ABORT");
        }
        return step.has("COMMIT");
    }

    private static String identity(Step step, Names names, short error, long producerId, short epoch) {
        String name = Errors.forCode(error).name();
        if (producerId == -1 && epoch == -1) {
            return name;
        }
        String words = name + " " + names.producerName(producerId) + " e" + epoch;
        if (error == 0) {
            names.got(step, producerId, epoch);
        }
        return words;
    }

    /** {@code AddPartitions v3 p0,1}; from v4 on also {@code verifyOnly}. */
    private static String addPartitions(Step step, Names names, Wire wire) throws IOException {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName(names.topic(step)).setPartitions(step.partitions()));
        String id = names.transactionalId(step);
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData();
        if (step.version() < 4) {
            request.setV3AndBelowTransactionalId(id)
                    .setV3AndBelowProducerId(names.producerId(step))
                    .setV3AndBelowProducerEpoch(names.epoch(step))
                    .setV3AndBelowTopics(topics);
        } else {
            request.transactions()
                    .add(new AddPartitionsToTxnTransaction()
                            .setTransactionalId(id)
                            .setProducerId(names.producerId(step))
                            .setProducerEpoch(names.epoch(step))
                            .setVerifyOnly(step.has("verifyOnly"))
                            .setTopics(topics));
        }
        AddPartitionsToTxnResponseData answer = wire.ask(request, step.version(), AddPartitionsToTxnResponseData.class);
        if (step.version() < 4) {
            return partitions(answer.resultsByTopicV3AndBelow());
        }
        if (answer.errorCode() != 0) {
            return Errors.forCode(answer.errorCode()).name();
        }
        return partitions(answer.resultsByTransaction().iterator().next().topicResults());
    }

    private static String partitions(AddPartitionsToTxnTopicResultCollection results) {
        Map<Integer, Short> errors = new TreeMap<>();
        for (AddPartitionsToTxnTopicResult topic : results) {
            topic.resultsByPartition()
                    .forEach(result -> errors.put(result.partitionIndex(), result.partitionErrorCode()));
        }
        return Words.errors(errors);
    }

    private static String addOffsets(Step step, Names names, Wire wire) throws IOException {
        AddOffsetsToTxnRequestData request = new AddOffsetsToTxnRequestData()
                .setTransactionalId(names.transactionalId(step))
                .setProducerId(names.producerId(step))
                .setProducerEpoch(names.epoch(step))
                .setGroupId(names.group(step));
        return Errors.forCode(wire.ask(request, step.version(), AddOffsetsToTxnResponseData.class)
                        .errorCode())
                .name();
    }

    /** {@code Markers v2 COMMIT e1 p0 tv2 ce0}: transaction version and coordinator epoch. */
    private static String markers(Step step, Names names, Wire wire) throws IOException {
        WritableTxnMarker marker = new WritableTxnMarker()
                .setProducerId(names.producerId(step))
                .setProducerEpoch(names.epoch(step))
                .setCoordinatorEpoch(step.number("ce", 0))
                .setTransactionVersion((byte) step.number("tv", 0))
                .setTransactionResult(commits(step))
                .setTopics(List.of(new WritableTxnMarkerTopic()
                        .setName(names.topic(step))
                        .setPartitionIndexes(step.partitions())));
        WriteTxnMarkersResponseData answer = wire.ask(
                new WriteTxnMarkersRequestData().setMarkers(List.of(marker)),
                step.version(),
                WriteTxnMarkersResponseData.class);
        Map<Integer, Short> errors = new TreeMap<>();
        answer.markers()
                .forEach(result -> result.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode()))));
        return Words.errors(errors);
    }
}
