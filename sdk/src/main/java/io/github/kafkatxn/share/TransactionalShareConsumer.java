package io.github.kafkatxn.share;

import io.github.kafkatxn.internal.client.ShareConsumerInternals;
import io.github.kafkatxn.internal.client.ShareConsumerInternals.Taken;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.AcknowledgementCommitCallback;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A share consumer whose acknowledgements can go into a producer's transaction (KIP-932, KIP-1289).
 *
 * <pre>{@code
 * ConsumerRecords<String, String> records = consumer.poll(Duration.ofSeconds(1));
 * Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
 * for (ConsumerRecord<String, String> record : records) {
 *     transaction.send(new ProducerRecord<>("out", record.key(), record.value()));
 *     consumer.acknowledge(record, AcknowledgeType.ACCEPT);
 * }
 * transaction.sendShareAcknowledgementsToTransaction(
 *         consumer.acknowledgementsForTransaction().orElseThrow(),
 *         consumer.shareGroupMetadata().orElseThrow());
 * transaction.commit();
 * }</pre>
 *
 * <p>It is a {@link KafkaShareConsumer} in explicit mode, with its rules: one thread at a time, {@link #wakeup()} from
 * any; the calls throw what the client throws; every record of a poll is acknowledged, in or out of a transaction,
 * before the next one. What has been acknowledged and not been drained for a transaction is sent with the next poll,
 * commit or close, at once and for good: drain before any of them.
 *
 * <p>An acknowledgement in a transaction counts if and only if the transaction is committed. After an abort the records
 * are acquired by this member as before and their locks go on (a broker may also give them to others at once): send the
 * same {@link ShareAcknowledgements} in the next transaction, or {@linkplain #takeBack take them back}.
 *
 * <p>Whether records of open and aborted transactions are delivered is not a setting of a consumer: exactly-once input
 * needs {@code share.isolation.level=read_committed} in the configuration of the group on the broker.
 *
 * @param <K> key type
 * @param <V> value type
 */
public final class TransactionalShareConsumer<K, V> implements AutoCloseable {
    private static final String EXPLICIT = "explicit";

    private record Position(TopicPartition partition, long offset) {}

    private final String groupId;
    private final ShareConsumer<K, V> client;
    private final @Nullable ShareConsumerInternals<K, V> internals;
    private final @Nullable UnsupportedVersionException unknown;
    private final Set<Position> renewals = new HashSet<>();

    TransactionalShareConsumer(String groupId, ShareConsumer<K, V> client) {
        this.groupId = groupId;
        this.client = client;
        ShareConsumerInternals<K, V> found = null;
        UnsupportedVersionException missing = null;
        try {
            found = ShareConsumerInternals.of(client);
        } catch (UnsupportedVersionException e) {
            missing = e;
        }
        this.internals = found;
        this.unknown = missing;
    }

    /**
     * Makes a consumer, which is not subscribed to anything.
     *
     * @param properties those of a share consumer, {@code group.id} among them; {@code share.acknowledgement.mode} is
     *     {@code explicit}
     * @param keyDeserializer which the consumer closes
     * @param valueDeserializer which the consumer closes
     * @param <K> key type
     * @param <V> value type
     * @return the consumer; the caller closes it
     * @throws IllegalArgumentException if the group is missing, or another mode is given
     * @throws KafkaException what the client refuses the properties with
     */
    public static <K, V> TransactionalShareConsumer<K, V> create(
            Map<String, Object> properties, Deserializer<K> keyDeserializer, Deserializer<V> valueDeserializer) {
        Map<String, Object> all = new HashMap<>(properties);
        Object group = all.get(ConsumerConfig.GROUP_ID_CONFIG);
        if (group == null || group.toString().isBlank()) {
            throw new IllegalArgumentException(ConsumerConfig.GROUP_ID_CONFIG + " is missing: the share group");
        }
        Object mode = all.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, EXPLICIT);
        if (mode != null && !mode.toString().equals(EXPLICIT)) {
            throw new IllegalArgumentException(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG + "=" + mode
                    + " is refused, it must be " + EXPLICIT
                    + ": else the next poll accepts what the transaction has not been committed for");
        }
        return new TransactionalShareConsumer<>(
                group.toString(), new KafkaShareConsumer<>(all, keyDeserializer, valueDeserializer));
    }

    /**
     * Subscribes to topics, instead of those before. Returns once the client has taken note; the assignment comes with
     * later polls.
     *
     * @param topics their names; none means {@link #unsubscribe()}
     */
    public void subscribe(Collection<String> topics) {
        client.subscribe(topics);
    }

    /** {@return the names of the topics it is subscribed to} */
    public Set<String> subscription() {
        return client.subscription();
    }

    /** Leaves the group. Blocks at most {@code default.api.timeout.ms}. */
    public void unsubscribe() {
        client.unsubscribe();
    }

    /**
     * Fetches records, which this member then has for the time of the acquisition lock. What was acknowledged before
     * and not drained is sent.
     *
     * @param timeout how long to wait at most
     * @return the records, none if there were none in time; those whose locks are being renewed come again, alone
     * @throws IllegalStateException if a record of the poll before is not acknowledged
     */
    public ConsumerRecords<K, V> poll(Duration timeout) {
        renewals.clear();
        return client.poll(timeout);
    }

    /**
     * Says what becomes of a record. Sends nothing yet; the last call for a record counts.
     *
     * @param record of the last poll
     * @param type {@link AcknowledgeType#RENEW} is not for transactions: it has to be sent with a commit or poll before
     *     anything is drained, and the next poll returns the record again
     * @throws IllegalStateException if the record is not of the last poll, or its acknowledgement is on its way
     */
    public void acknowledge(ConsumerRecord<K, V> record, AcknowledgeType type) {
        client.acknowledge(record, type);
        note(record.topic(), record.partition(), record.offset(), type);
    }

    /**
     * As {@link #acknowledge(ConsumerRecord, AcknowledgeType)}, for a record that a poll could not deserialize.
     *
     * @param topic of the record
     * @param partition of the record
     * @param offset of the record
     * @param type as above
     */
    public void acknowledge(String topic, int partition, long offset, AcknowledgeType type) {
        client.acknowledge(topic, partition, offset, type);
        note(topic, partition, offset, type);
    }

    /**
     * Drains what has been acknowledged: it is for a transaction now, and this consumer does not send it any more. Does
     * not block. Records that are not acknowledged yet stay for a later call. What comes along is what the client has
     * acknowledged by itself: gaps, and records that it could not read.
     *
     * @return the acknowledgements, possibly none. {@link TxnResult.InvalidConfiguration} if this version of
     *     kafka-clients does not let them be taken, saying what is missing; a refusal if locks are still to be renewed.
     *     Then nothing is drained
     */
    public TxnResult<ShareAcknowledgements> acknowledgementsForTransaction() {
        checkAccess();
        ShareConsumerInternals<K, V> inside = internals;
        if (inside == null) {
            return refused(unknown());
        }
        if (!renewals.isEmpty()) {
            return refused(
                    new IllegalStateException(
                            "the locks of " + renewals.size()
                                    + " records are to be renewed: that is not part of a transaction, call commitSync() or poll() first"));
        }
        return TxnResult.success(new ShareAcknowledgements(inside.take(), this));
    }

    /**
     * Makes the records of an aborted transaction ones that have just been polled: each is acknowledged anew before the
     * next poll, in another transaction (also a part of them, or with other types), with {@code RELEASE} and a commit
     * for others to have them, or with {@code RENEW}. Does not block, and does not tell whether this member still has
     * them: an acknowledgement that comes too late is refused.
     *
     * @param acknowledgements of this consumer, sent in a transaction that was aborted, or not sent
     * @throws IllegalArgumentException if they are of another consumer
     * @throws IllegalStateException if they are back already
     */
    public void takeBack(ShareAcknowledgements acknowledgements) {
        checkAccess();
        ShareConsumerInternals<K, V> inside = internals;
        if (inside == null || !acknowledgements.isOf(this)) {
            throw new IllegalArgumentException("the acknowledgements are of another consumer");
        }
        inside.putBack(typed(acknowledgements.taken()));
    }

    /**
     * Who this member is: to be read on the thread that polls, right before it is sent. Does not block.
     *
     * @return the member, with the epoch it knows of. {@link TxnResult.InvalidConfiguration} as for
     *     {@link #acknowledgementsForTransaction()}
     */
    public TxnResult<ShareGroupMetadata> shareGroupMetadata() {
        checkAccess();
        ShareConsumerInternals<K, V> inside = internals;
        return inside == null
                ? refused(unknown())
                : TxnResult.success(new ShareGroupMetadata(groupId, inside.memberId(), inside.memberEpoch()));
    }

    /**
     * Sends what has been acknowledged and not drained, outside of any transaction, and waits for the answers.
     *
     * @param timeout how long to wait at most
     * @return of each partition what became of its acknowledgements. <strong>A refusal is in here and is not
     *     thrown</strong>: after an {@code InvalidRecordStateException} none of those of the partition counts, and
     *     somebody else may have the records. A partition whose answer was lost has an error too, and may have them
     */
    public Map<TopicIdPartition, Optional<KafkaException>> commitSync(Duration timeout) {
        renewals.clear();
        return client.commitSync(timeout);
    }

    /**
     * Sends what has been acknowledged and not drained, outside of any transaction. Does not block; what becomes of it
     * is told to the {@linkplain #setAcknowledgementCommitCallback callback} only.
     */
    public void commitAsync() {
        renewals.clear();
        client.commitAsync();
    }

    /**
     * Whom to tell what became of acknowledgements that were sent outside of transactions.
     *
     * @param callback called by {@code poll}, {@code commitSync} and {@code close} on their thread; must not call the
     *     consumer. null for nobody
     */
    public void setAcknowledgementCommitCallback(@Nullable AcknowledgementCommitCallback callback) {
        client.setAcknowledgementCommitCallback(callback);
    }

    /** {@return for how long a record of the last poll is acquired, in milliseconds; empty before the first one} */
    public Optional<Integer> acquisitionLockTimeoutMs() {
        return client.acquisitionLockTimeoutMs();
    }

    /** {@return the client's own metrics} */
    public Map<MetricName, ? extends Metric> metrics() {
        return client.metrics();
    }

    /** Ends a poll or commit that is under way, or else the next one, with a {@code WakeupException}. Any thread. */
    public void wakeup() {
        client.wakeup();
    }

    /**
     * Sends what has been acknowledged and not drained, releases what has been polled and not been acknowledged, and
     * leaves the group. What was drained stays as it is: a transaction that is open with it may still be committed.
     *
     * @param timeout how long to wait at most
     */
    public void close(Duration timeout) {
        client.close(timeout);
    }

    /** As {@link #close(Duration)} with the client's 30 seconds. */
    @Override
    public void close() {
        client.close();
    }

    private void note(String topic, int partition, long offset, AcknowledgeType type) {
        if (type == AcknowledgeType.RENEW) {
            renewals.add(new Position(new TopicPartition(topic, partition), offset));
        } else if (!renewals.isEmpty()) {
            renewals.remove(new Position(new TopicPartition(topic, partition), offset));
        }
    }

    /** The client refuses every call if it is closed, or another thread is in it. */
    private void checkAccess() {
        client.subscription();
    }

    private UnsupportedVersionException unknown() {
        return Objects.requireNonNull(unknown);
    }

    private static <T> TxnResult<T> refused(RuntimeException why) {
        return TxnResult.failure(
                ErrorClassifier.classify(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, why, Condition.USABLE));
    }

    @SuppressWarnings("unchecked") // They were taken from this consumer.
    private static <K, V> Map<TopicIdPartition, Taken<K, V>> typed(Map<TopicIdPartition, ? extends Taken<?, ?>> taken) {
        return (Map<TopicIdPartition, Taken<K, V>>) taken;
    }
}
