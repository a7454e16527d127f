package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.ShareGroupMetadata;
import org.apache.kafka.clients.producer.Producer;

/** Puts acknowledgements of share consumers into the open transaction (KIP-1289). */
final class ShareAcknowledgementsSender {

    ShareAcknowledgementsSender(ProducerSettings settings, Producer<?, ?> client, ListenerHub listeners) {}

    void send(ShareAcknowledgements acknowledgements, ShareGroupMetadata member, Deadline deadline) {
        if (!acknowledgements.isEmpty()) {
            throw new MissingCapabilityException("share acknowledgements cannot be sent yet");
        }
    }

    void close(Deadline deadline) {}
}
