package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.result.TxnError;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners what one lane does; what they throw does not reach the loop. */
final class LaneListeners {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorListener.class);

    private final int lane;
    private final List<ProcessorListener> listeners;

    LaneListeners(int lane, List<ProcessorListener> listeners) {
        this.lane = lane;
        this.listeners = listeners;
    }

    void started(Guarantee guarantee) {
        tell(listener -> listener.onStarted(lane, guarantee));
    }

    void possibleDuplicates(int records, TxnError error) {
        tell(listener -> listener.onPossibleDuplicates(lane, records, error));
    }

    void rewind(TxnError error, Map<TopicPartition, Long> positions) {
        tell(listener -> listener.onRewind(lane, error, Map.copyOf(positions)));
    }

    void rebuilt(String transactionalId, TxnError error) {
        tell(listener -> listener.onProducerRebuilt(lane, transactionalId, error));
    }

    void settled(Settlement settlement) {
        tell(listener -> listener.onSettled(lane, settlement));
    }

    void committed(Batch batch) {
        TxnError why = batch.deadLetter();
        if (why != null) {
            ConsumerRecord<?, ?> record = batch.records().get(0);
            tell(listener -> listener.onDeadLetter(lane, Batch.partitionOf(record), record.offset(), why));
        } else if (!batch.records().isEmpty()) {
            tell(listener -> listener.onProcessed(lane, batch.records().size()));
        }
    }

    private void tell(Consumer<ProcessorListener> event) {
        for (ProcessorListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn("lane {}: listener {} failed, going on without it", lane, listener, e);
            }
        }
    }
}
