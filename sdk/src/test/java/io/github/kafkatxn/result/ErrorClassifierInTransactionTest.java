package io.github.kafkatxn.result;

import static io.github.kafkatxn.result.Action.ABORT_AND_REPLAY;
import static io.github.kafkatxn.result.Action.RECREATE;
import static io.github.kafkatxn.result.Action.STOP;
import static io.github.kafkatxn.result.ClassifierRow.row;
import static io.github.kafkatxn.result.ErrorCategory.ABORTABLE;
import static io.github.kafkatxn.result.ErrorCategory.APPLICATION_RECOVERABLE;
import static io.github.kafkatxn.result.ErrorCategory.INVALID_CONFIGURATION;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.ABORTED;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.UNUSABLE;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.USABLE;
import static io.github.kafkatxn.result.Operation.SEND;
import static io.github.kafkatxn.result.Operation.SEND_OFFSETS;
import static io.github.kafkatxn.result.Operation.SEND_SHARE_ACKNOWLEDGEMENTS;
import static io.github.kafkatxn.result.Thrown.brokenState;
import static io.github.kafkatxn.result.Thrown.errorState;
import static io.github.kafkatxn.result.Thrown.invalidNeighbour;

import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of the calls that put something into a transaction. */
class ErrorClassifierInTransactionTest {

    /** An {@link InterruptException} sets the flag of the thread that makes it. */
    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"send", "sendOffsets", "shareAcknowledgements"})
    void tellsCategoryAndAction(ClassifierRow row) {
        row.check();
    }

    /** Nothing of send is retriable for the caller: the record could be there twice. */
    static Stream<ClassifierRow> send() {
        return Stream.of(
                row(SEND, new TimeoutException("expired"), USABLE, ABORTABLE, ABORT_AND_REPLAY)
                        .says("abort, rewind the input and do the batch again with this producer."),
                row(SEND, Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.CORRUPT_MESSAGE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_TOPIC_OR_PARTITION, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.NOT_LEADER_OR_FOLLOWER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_TXN_STATE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.TRANSACTION_ABORTABLE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.TRANSACTION_ABORTABLE, UNUSABLE, ABORTABLE, RECREATE),
                row(SEND, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_PRODUCER_ID, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_SERVER_ERROR, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new KafkaException("bare"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new KafkaException("bare"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND, new RuntimeException("partitioner"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new InterruptException("woken"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, UNUSABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .says("create one with the same transactional.id, and go on from the committed offsets."),
                row(SEND, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND, Errors.INVALID_PRODUCER_ID_MAPPING, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(
                        SEND,
                        errorState(new CommitFailedException("gone")),
                        USABLE,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(SEND, errorState(Errors.FENCED_INSTANCE_ID), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND, Errors.MESSAGE_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("max.request.size"),
                row(SEND, new SerializationException("no"), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("skip or dead-letter the record, or change the serializer"),
                row(SEND, Errors.INVALID_RECORD, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, invalidNeighbour(), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.INVALID_TIMESTAMP, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.POLICY_VIOLATION, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, new NullPointerException("serializer"), USABLE, APPLICATION_RECOVERABLE, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.RECORD_LIST_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("batch.size"),
                row(SEND, Errors.TOPIC_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says(
                                "end the transaction if one is open, and change the permissions (Write on the output topic)"),
                row(SEND, Errors.CLUSTER_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.INVALID_TOPIC_EXCEPTION, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.INVALID_REQUIRED_ACKS, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, new IllegalStateException("closed"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND, brokenState(), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY));
    }

    static Stream<ClassifierRow> sendOffsets() {
        return Stream.of(
                row(
                        SEND_OFFSETS,
                        new CommitFailedException("moved"),
                        USABLE,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.ILLEGAL_GENERATION, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.UNKNOWN_MEMBER_ID, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.GROUP_ID_NOT_FOUND, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.STALE_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.STALE_MEMBER_EPOCH, UNUSABLE, ABORTABLE, RECREATE),
                row(SEND_OFFSETS, Errors.FENCED_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.UNKNOWN_TOPIC_ID, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.CONCURRENT_TRANSACTIONS, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, new TimeoutException("no answer"), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.FENCED_INSTANCE_ID, USABLE, APPLICATION_RECOVERABLE, STOP)
                        .says("change group.instance.id"),
                row(SEND_OFFSETS, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.INVALID_PRODUCER_EPOCH, ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.INVALID_TXN_STATE, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, new KafkaException("bare"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, new KafkaException("bare"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.OFFSET_METADATA_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("offset.metadata.max.bytes"),
                row(SEND_OFFSETS, Errors.INVALID_COMMIT_OFFSET_SIZE, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND_OFFSETS, Errors.GROUP_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("Read on the group"),
                row(SEND_OFFSETS, Errors.TOPIC_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("Read on the input topic"),
                row(SEND_OFFSETS, new IllegalArgumentException("null metadata"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND_OFFSETS, errorState(Errors.MESSAGE_TOO_LARGE), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("max.request.size"));
    }

    static Stream<ClassifierRow> shareAcknowledgements() {
        Operation call = SEND_SHARE_ACKNOWLEDGEMENTS;
        return Stream.of(
                row(call, Errors.INVALID_RECORD_STATE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.STALE_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.UNKNOWN_MEMBER_ID, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(call, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(call, Errors.NOT_LEADER_OR_FOLLOWER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.UNSUPPORTED_VERSION, USABLE, INVALID_CONFIGURATION, STOP));
    }
}
