package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.client.ProducerInternals;
import io.github.kafkatxn.internal.client.ProducerInternals.Identity;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.internal.wire.ShareBatch;
import io.github.kafkatxn.internal.wire.ShareMember;
import io.github.kafkatxn.internal.wire.TransactionalIdentity;
import io.github.kafkatxn.internal.wire.TransactionalShareAcknowledgements;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.ShareGroupMetadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts acknowledgements of share consumers into the open transaction (KIP-1289), beside the client, which does not know
 * the request.
 */
final class ShareAcknowledgementsSender {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final ProducerSettings settings;
    private final Optional<ProducerInternals> internals;
    private final ListenerHub listeners;
    private final OnDemand<TransactionalShareAcknowledgements> wire;

    ShareAcknowledgementsSender(ProducerSettings settings, Producer<?, ?> client, ListenerHub listeners) {
        this.settings = settings;
        this.internals = ProducerInternals.of(client);
        this.listeners = listeners;
        this.wire = new OnDemand<>(
                () -> new TransactionalShareAcknowledgements(settings.properties()),
                TransactionalShareAcknowledgements::close);
    }

    /**
     * Sends acknowledgements and waits for the answers; everything sent before has been flushed.
     *
     * @param acknowledgements at least one
     * @param member who acknowledges
     * @param deadline when to give up
     * @throws MissingCapabilityException if the client or the cluster cannot do it, and nothing has been sent
     * @throws RuntimeException what the brokers refused it with
     */
    void send(ShareAcknowledgements acknowledgements, ShareGroupMetadata member, Deadline deadline) {
        ProducerInternals inside = internals.orElseThrow(() -> new MissingCapabilityException(
                "share acknowledgements in a transaction need kafka-clients 4.4.0: the inside of the producer is not as"
                        + " expected"));
        if (!inside.isTransactionVersion2()) {
            // One that arrives late would become part of the next transaction, which has the same epoch.
            throw new MissingCapabilityException("share acknowledgements in a transaction (KIP-1289) need"
                    + " transaction.version 2 (KIP-890); the cluster has an older one");
        }
        try {
            send(acknowledgements, member, deadline, inside);
        } catch (LinkageError e) {
            throw new UnsupportedVersionException("the inside of kafka-clients is not as in 4.4.0: " + e, e);
        }
    }

    private void send(
            ShareAcknowledgements acknowledgements,
            ShareGroupMetadata member,
            Deadline deadline,
            ProducerInternals inside) {
        Identity identity = inside.identity();
        wire.get(deadline)
                .send(
                        new TransactionalIdentity(settings.transactionalId(), identity.producerId(), identity.epoch()),
                        new ShareMember(member.groupId(), member.memberId(), member.memberEpoch()),
                        batches(acknowledgements),
                        deadline.within(settings.maxBlock()),
                        inside::transactionStarted,
                        cause -> listeners.retry(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, cause));
        LOG.debug("{}: acknowledgements {} of {}", settings.transactionalId(), acknowledgements, member);
    }

    /**
     * Ends a call that is under way, and what it is made with; from any thread.
     *
     * @param deadline when to stop waiting for that
     */
    void close(Deadline deadline) {
        wire.close(deadline);
    }

    private static Map<TopicIdPartition, List<ShareBatch>> batches(ShareAcknowledgements acknowledgements) {
        Map<TopicIdPartition, List<ShareBatch>> batches = new HashMap<>();
        acknowledgements
                .batches()
                .forEach((partition, of) -> batches.put(
                        partition,
                        of.stream()
                                .map(batch -> new ShareBatch(batch.firstOffset(), batch.lastOffset(), batch.types()))
                                .toList()));
        return batches;
    }
}
