package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.Operation;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;

/** Offsets by the client's own call, which is ended at the deadline. */
final class ClientOffsets implements OffsetsSender {
    private final Producer<?, ?> client;
    private final ClientCalls calls;
    private final OffsetsPath path;

    ClientOffsets(Producer<?, ?> client, ClientCalls calls, OffsetsPath path) {
        this.client = client;
        this.calls = calls;
        this.path = path;
    }

    @Override
    public OffsetsPath send(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline) {
        RuntimeException refusedBy =
                calls.once(Operation.SEND_OFFSETS, deadline, () -> client.sendOffsetsToTransaction(offsets, group));
        if (refusedBy != null) {
            throw refusedBy;
        }
        return path;
    }

    /** One that is not answered is sent again and again. */
    @Override
    public boolean holdsUpAbort(RuntimeException failure) {
        return failure instanceof TimeoutException;
    }

    @Override
    public void close(Deadline deadline) {
        // The client is closed by whoever made it.
    }
}
