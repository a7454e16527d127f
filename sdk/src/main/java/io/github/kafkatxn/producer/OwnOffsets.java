package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.client.ProducerInternals;
import io.github.kafkatxn.internal.client.ProducerInternals.Identity;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.OffsetsRoute;
import io.github.kafkatxn.internal.wire.TransactionalIdentity;
import io.github.kafkatxn.internal.wire.TransactionalOffsets;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.Operation;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offsets by requests of this library's own, beside the client, which therefore never has one that it cannot get rid
 * of. For transactions of version 2, where the request adds itself to the transaction; those of version 1 are left to
 * the client.
 *
 * <p>These requests end by themselves at their deadline, and no guard watches them: whoever waits for one remembers an
 * interrupt until the wait is over, and one that the guard makes meanwhile would take it away.
 */
final class OwnOffsets implements OffsetsSender {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final ProducerSettings settings;
    private final ProducerInternals internals;
    private final ListenerHub listeners;
    private final ClientOffsets inVersion1;
    private final ClientOffsets ofUnknownClient;
    private final Duration limit;
    private final OnDemand<TransactionalOffsets> wire;
    private boolean unknownClient;
    private boolean byClient;

    private OwnOffsets(
            ProducerSettings settings,
            Producer<?, ?> client,
            ClientCalls calls,
            ListenerHub listeners,
            ProducerInternals internals) {
        this.settings = settings;
        this.internals = internals;
        this.listeners = listeners;
        this.inVersion1 = new ClientOffsets(client, calls, OffsetsPath.TRANSACTION_VERSION_1);
        this.ofUnknownClient = new ClientOffsets(client, calls, OffsetsPath.UNKNOWN_CLIENT);
        this.limit = settings.maxBlock();
        this.wire = new OnDemand<>(() -> new TransactionalOffsets(settings.properties()), TransactionalOffsets::close);
    }

    /** {@return by requests of this library's own, if the client lets itself be looked into; else by the client} */
    static OffsetsSender of(
            ProducerSettings settings, Producer<?, ?> client, ClientCalls calls, ListenerHub listeners) {
        return ProducerInternals.of(client)
                .<OffsetsSender>map(internals -> new OwnOffsets(settings, client, calls, listeners, internals))
                .orElseGet(() -> new ClientOffsets(client, calls, OffsetsPath.UNKNOWN_CLIENT));
    }

    @Override
    public OffsetsPath send(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline) {
        try {
            OffsetsPath path = choose(offsets, group, topicIds, deadline);
            LOG.debug("{}: offsets {} of {}: {}", settings.transactionalId(), offsets, group, path);
            return path;
        } catch (RuntimeException e) {
            LOG.debug(
                    "{}: offsets {} of {} refused, {}",
                    settings.transactionalId(),
                    offsets,
                    group,
                    byClient ? "sent by the client" : "sent by requests of our own",
                    e);
            throw e;
        }
    }

    private OffsetsPath choose(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline) {
        byClient = true;
        if (!internals.isTransactionVersion2()) {
            return inVersion1.send(offsets, group, topicIds, deadline);
        }
        if (!unknownClient) {
            try {
                return sendOnOurOwn(offsets, group, topicIds, deadline);
            } catch (LinkageError e) {
                ProducerInternals.tell(e.toString());
                unknownClient = true;
                byClient = true;
            }
        }
        return ofUnknownClient.send(offsets, group, topicIds, deadline);
    }

    private OffsetsPath sendOnOurOwn(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline) {
        byClient = false;
        check(group);
        // Before the first request: one that is answered by nobody may have arrived.
        internals.transactionStarted();
        Identity identity = internals.identity();
        OffsetsRoute route = wire.get(deadline)
                .send(
                        new TransactionalIdentity(settings.transactionalId(), identity.producerId(), identity.epoch()),
                        offsets,
                        group,
                        topicIds,
                        deadline.within(limit),
                        cause -> listeners.retry(Operation.SEND_OFFSETS, cause));
        return path(route);
    }

    @Override
    public boolean holdsUpAbort(RuntimeException failure) {
        return byClient && inVersion1.holdsUpAbort(failure);
    }

    @Override
    public void close(Deadline deadline) {
        wire.close(deadline);
    }

    /** As the client checks it. */
    private static void check(@Nullable ConsumerGroupMetadata group) {
        if (group == null) {
            throw new IllegalArgumentException("no group metadata: pass consumer.groupMetadata()");
        }
        boolean nobody = group.memberId().equals(JoinGroupRequest.UNKNOWN_MEMBER_ID);
        if (group.generationId() > 0 && nobody) {
            throw new IllegalArgumentException("the group metadata has generation " + group.generationId()
                    + " and no member id: pass consumer.groupMetadata() as it is");
        }
    }

    private static OffsetsPath path(OffsetsRoute route) {
        return switch (route) {
            case TOPIC_IDS -> OffsetsPath.TOPIC_IDS;
            case OLD_COORDINATOR -> OffsetsPath.OLD_COORDINATOR;
            case TOPIC_WITHOUT_ID -> OffsetsPath.TOPIC_WITHOUT_ID;
        };
    }
}
