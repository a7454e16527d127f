package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.AppendRules;
import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The appends of one produce request: what opens a transaction is verified first, once for all partitions, then each
 * partition is appended for itself.
 */
final class ProduceAppends {
    private static final String ADMIN_CLIENT = "__admin_client";
    private static final Set<Errors> COORDINATOR_AWAY = Set.of(
            Errors.NETWORK_EXCEPTION,
            Errors.COORDINATOR_LOAD_IN_PROGRESS,
            Errors.COORDINATOR_NOT_AVAILABLE,
            Errors.NOT_COORDINATOR);
    /** Errors with which nothing was learned about the log. */
    private static final Set<Errors> NOT_LOOKED_AT = Set.of(Errors.MESSAGE_TOO_LARGE, Errors.CORRUPT_MESSAGE);

    private final NodeContext node;
    private final Leaders leaders;
    private final Call<ProduceRequestData> call;
    private final List<ProducePart> parts;
    private final Runnable done;
    private long waited;

    ProduceAppends(NodeContext node, Call<ProduceRequestData> call, List<ProducePart> parts, Runnable done) {
        this.node = node;
        this.leaders = new Leaders(node);
        this.call = call;
        this.parts = parts;
        this.done = done;
    }

    /** Begins; nothing is open when it is done, perhaps before this returns. */
    void start() {
        boolean verifies = epochBump() || node.settings().flag("transaction.partition.verification.enable");
        String transactionalId = call.request().transactionalId();
        if (transactionalId == null || !verifies) {
            append();
        } else {
            verify(transactionalId);
        }
    }

    private boolean epochBump() {
        return call.version() >= 12;
    }

    private Mode mode() {
        if (epochBump()) {
            return Mode.ADD;
        }
        return call.version() == 11 ? Mode.VERIFY_OR_ABORTABLE : Mode.VERIFY_OR_INVALID_TXN_STATE;
    }

    private void verify(String transactionalId) {
        Map<TopicPartition, Errors> errors = new LinkedHashMap<>();
        List<ProducePart> asked = new ArrayList<>();
        for (ProducePart part : parts) {
            if (part.isOpen() && part.isTransactional()) {
                Verification verification = startVerification(part);
                part.verifiedWith(verification.guard());
                if (verification.error() != Errors.NONE) {
                    errors.put(part.partition().topicPartition(), verification.error());
                } else if (verification.needed()) {
                    asked.add(part);
                }
            }
        }
        if (asked.isEmpty()) {
            verified(transactionalId, errors);
            return;
        }
        RecordBatch first = asked.get(0).batch();
        node.verification()
                .verify(
                        mode(),
                        transactionalId,
                        first.producerId(),
                        first.producerEpoch(),
                        asked.stream()
                                .map(part -> part.partition().topicPartition())
                                .toList(),
                        call.guarded(found -> {
                            errors.putAll(found);
                            verified(transactionalId, errors);
                        }));
    }

    private Verification startVerification(ProducePart part) {
        TopicPartition partition = part.partition().topicPartition();
        Errors error = leaders.check(partition, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        if (error != Errors.NONE) {
            return Verification.refused(error, error.message());
        }
        RecordBatch batch = part.batch();
        return leaders.get(partition)
                .startVerification(batch.producerId(), batch.producerEpoch(), batch.baseSequence(), epochBump());
    }

    /** The next transaction may begin while the markers of the one before are written: that is waited for, a little. */
    private void verified(String transactionalId, Map<TopicPartition, Errors> errors) {
        long backoff = node.settings().number("add.partitions.to.txn.retry.backoff.ms");
        if (epochBump()
                && errors.containsValue(Errors.CONCURRENT_TRANSACTIONS)
                && waited < node.settings().number("add.partitions.to.txn.retry.backoff.max.ms")) {
            waited += backoff;
            node.loop().afterRealTime(backoff, call.guarded(() -> verify(transactionalId)));
            return;
        }
        for (ProducePart part : parts) {
            Errors error = errors.getOrDefault(part.partition().topicPartition(), Errors.NONE);
            if (part.isOpen() && error != Errors.NONE) {
                refuse(part, error);
            }
        }
        append();
    }

    /** Producers look for no coordinator while they send records: they are told what they only have to repeat. */
    private void refuse(ProducePart part, Errors error) {
        boolean tooEarly = error == Errors.CONCURRENT_TRANSACTIONS && !epochBump();
        if (COORDINATOR_AWAY.contains(error) || tooEarly) {
            part.refused(
                    Errors.NOT_ENOUGH_REPLICAS,
                    "the transaction could not be verified with its coordinator: " + error.name());
        } else if (error == Errors.INVALID_TXN_STATE) {
            part.refused(error, "the partition was not added to the transaction");
        } else {
            part.refused(error);
        }
    }

    private void append() {
        for (ProducePart part : parts) {
            if (part.isOpen()) {
                append(part);
            }
        }
        done.run();
    }

    private void append(ProducePart part) {
        TopicPartition partition = part.partition().topicPartition();
        short acks = call.request().acks();
        if (acks < -1 || acks > 1) {
            part.refused(Errors.INVALID_REQUIRED_ACKS);
            return;
        }
        if (InternalTopics.contains(partition.topic()) && !call.clientId().equals(ADMIN_CLIENT)) {
            part.refused(Errors.INVALID_TOPIC_EXCEPTION);
            return;
        }
        Errors error = leaders.check(partition, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        if (error != Errors.NONE) {
            part.refused(error);
            return;
        }
        TopicInfo topic = node.image().get().topic(partition.topic()).orElseThrow();
        LedPartition led = leaders.get(partition);
        if (acks == -1 && !hasEnoughReplicas(topic, partition.partition())) {
            part.appended(
                    Appended.refused(Errors.NOT_ENOUGH_REPLICAS, "too few replicas are up"),
                    led.log().startOffset());
            return;
        }
        led.expireProducers(
                node.settings().number("producer.id.expiration.ms"),
                node.settings().number("producer.id.expiration.check.interval.ms"));
        Appended appended = led.append(part.records(), AppendRules.of(topic.configs(), node.settings()), part.guard());
        part.appended(
                appended,
                NOT_LOOKED_AT.contains(appended.error())
                        ? ProducePart.UNKNOWN
                        : led.log().startOffset());
    }

    private boolean hasEnoughReplicas(TopicInfo topic, int index) {
        String setForTopic = topic.configs().get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        long needed = setForTopic == null ? node.settings().number("min.insync.replicas") : Long.parseLong(setForTopic);
        PartitionInfo partition = topic.partition(index).orElseThrow();
        long up = partition.replicas().stream()
                .filter(node.image().get()::isAlive)
                .count();
        return up >= Math.min(needed, partition.replicas().size());
    }
}
