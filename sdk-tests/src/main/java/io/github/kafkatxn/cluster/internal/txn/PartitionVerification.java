package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * The side of a partition's leader in KIP-890: before a transaction opens in a partition, its coordinator is asked
 * whether the partition belongs to it, or told to add it. One request is under way per coordinator node; what comes
 * meanwhile goes with the next one. Belongs to the node's thread.
 */
public final class PartitionVerification {
    private static final VersionRange BATCHED = VersionRange.of(4, 5);

    private final Map<Integer, Lane> lanes = new HashMap<>();
    private final Supplier<ClusterImage> image;
    private final Peers peers;
    private final boolean enabled;

    /** What is asked, and how "no" is called. */
    public enum Mode {
        /** Whether it is there; for clients that know no other word for it. */
        VERIFY_OR_INVALID_TXN_STATE,
        /** Whether it is there. */
        VERIFY_OR_ABORTABLE,
        /** It is added, as transaction version 2 has it. */
        ADD
    }

    /** Who waits for what. */
    private record Question(
            Mode mode,
            String transactionalId,
            long producerId,
            short producerEpoch,
            List<TopicPartition> partitions,
            Consumer<Map<TopicPartition, Errors>> done) {

        void answerAll(Errors error) {
            Map<TopicPartition, Errors> answers = new HashMap<>();
            partitions.forEach(partition -> answers.put(partition, error));
            done.accept(answers);
        }
    }

    /** What goes to one node. */
    private static final class Lane {
        private Map<String, Question> waiting = new LinkedHashMap<>();
        private boolean busy;
    }

    /**
     * Asks nobody yet.
     *
     * @param image what the node knows of the cluster
     * @param peers its way to the coordinators
     * @param enabled whether partitions are verified that a client has added itself
     */
    public PartitionVerification(Supplier<ClusterImage> image, Peers peers, boolean enabled) {
        this.image = image;
        this.peers = peers;
        this.enabled = enabled;
    }

    /**
     * Asks the coordinator of a transactional id.
     *
     * @param mode what
     * @param transactionalId the id
     * @param producerId of the request that is waiting
     * @param producerEpoch of the request that is waiting
     * @param partitions which partitions
     * @param done gets what the client is to be told for each partition, NONE to go on
     */
    public void verify(
            Mode mode,
            String transactionalId,
            long producerId,
            short producerEpoch,
            List<TopicPartition> partitions,
            Consumer<Map<TopicPartition, Errors>> done) {
        Question question = new Question(mode, transactionalId, producerId, producerEpoch, partitions, done);
        if (!enabled && mode != Mode.ADD) {
            question.answerAll(Errors.NONE);
            return;
        }
        Optional<NodeInfo> coordinator = image.get().coordinator(InternalTopics.TRANSACTIONS, transactionalId);
        if (coordinator.isEmpty()) {
            question.answerAll(Errors.COORDINATOR_NOT_AVAILABLE);
            return;
        }
        int node = coordinator.get().id();
        Lane lane = lanes.computeIfAbsent(node, key -> new Lane());
        enqueue(lane, question);
        send(node, lane);
    }

    private static void enqueue(Lane lane, Question question) {
        Question older = lane.waiting.get(question.transactionalId());
        if (older != null && older.producerEpoch() > question.producerEpoch()) {
            question.answerAll(Errors.INVALID_PRODUCER_EPOCH);
            return;
        }
        lane.waiting.put(question.transactionalId(), question);
        if (older != null) {
            older.answerAll(
                    older.producerEpoch() < question.producerEpoch()
                            ? Errors.INVALID_PRODUCER_EPOCH
                            : Errors.NETWORK_EXCEPTION);
        }
    }

    private void send(int node, Lane lane) {
        if (lane.busy || lane.waiting.isEmpty()) {
            return;
        }
        lane.busy = true;
        Map<String, Question> asked = lane.waiting;
        lane.waiting = new LinkedHashMap<>();
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData();
        asked.values()
                .forEach(question -> request.transactions()
                        .add(new AddPartitionsToTxnTransaction()
                                .setTransactionalId(question.transactionalId())
                                .setProducerId(question.producerId())
                                .setProducerEpoch(question.producerEpoch())
                                .setVerifyOnly(question.mode() != Mode.ADD)
                                .setTopics(TxnTopics.toRequest(question.partitions()))));
        peers.send(node, request, BATCHED, new Peers.Reply() {
            @Override
            public void answered(short version, ApiMessage response) {
                next(node, lane);
                answer(asked, (AddPartitionsToTxnResponseData) response);
            }

            @Override
            public void failed(Peers.Failure failure) {
                next(node, lane);
                // A coordinator that cannot be asked yet, because it is too old, is not asked.
                Errors error = failure == Peers.Failure.UNSUPPORTED ? Errors.NONE : Errors.NETWORK_EXCEPTION;
                List.copyOf(asked.values()).forEach(question -> question.answerAll(error));
            }
        });
    }

    private void next(int node, Lane lane) {
        lane.busy = false;
        send(node, lane);
    }

    private static void answer(Map<String, Question> asked, AddPartitionsToTxnResponseData response) {
        Errors top = Errors.forCode(response.errorCode());
        for (Question question : new ArrayList<>(asked.values())) {
            if (top != Errors.NONE) {
                question.answerAll(top == Errors.CLUSTER_AUTHORIZATION_FAILED ? Errors.INVALID_TXN_STATE : top);
                continue;
            }
            AddPartitionsToTxnResult result = response.resultsByTransaction().find(question.transactionalId());
            Map<TopicPartition, Errors> answers = new HashMap<>();
            question.partitions().forEach(partition -> answers.put(partition, Errors.UNKNOWN_SERVER_ERROR));
            if (result != null) {
                result.topicResults()
                        .forEach(topic -> topic.resultsByPartition()
                                .forEach(partition -> answers.put(
                                        new TopicPartition(topic.name(), partition.partitionIndex()),
                                        toClient(question.mode(), Errors.forCode(partition.partitionErrorCode())))));
            }
            question.done().accept(answers);
        }
    }

    private static Errors toClient(Mode mode, Errors error) {
        return switch (error) {
            case PRODUCER_FENCED -> Errors.INVALID_PRODUCER_EPOCH;
            case TRANSACTION_ABORTABLE -> mode == Mode.VERIFY_OR_INVALID_TXN_STATE ? Errors.INVALID_TXN_STATE : error;
            default -> error;
        };
    }
}
