package io.github.kafkatxn.internal.wire;

import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Offsets or acknowledgements have not become part of the transaction, at least not all of them. */
public final class RefusedPartitionsException extends KafkaException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException decisive;
    private final transient Map<TopicPartition, Throwable> partitions;

    RefusedPartitionsException(RuntimeException decisive, Map<TopicPartition, ? extends Throwable> partitions) {
        super(decisive.getMessage(), decisive);
        this.decisive = decisive;
        this.partitions = Map.copyOf(partitions);
    }

    /** {@return the failure that decides what to do next} */
    public RuntimeException decisive() {
        return decisive;
    }

    /** {@return what was said of which partition} */
    public Map<TopicPartition, Throwable> partitions() {
        return partitions;
    }
}
