package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that makes batches of a share group fail, and counts how often it was tried.
 *
 * <p>Records of a share group are independent of each other. What is not suspicious is processed first; then halves of
 * batches that have failed, until a record stands alone; then records that are tried alone. A record is also tried
 * alone if it has been delivered often: it may be what its workers died of. Of such records the first one and the last
 * one are tried in turn from delivery to delivery, so that one that kills its worker does not keep all the others from
 * being tried before their deliveries are used up.
 *
 * <p>Belongs to a lane; knows of records only while the lane has them.
 */
final class ShareIsolation extends Suspicion {
    /**
     * What is known of a record.
     *
     * @param attempts how often it is known to have failed
     * @param error with what, the last time
     * @param search what it is part of, or null if it is tried alone
     */
    private record Suspect(
            int attempts,
            @Nullable TxnError error,
            @Nullable Search search) {
        static final Suspect NONE = new Suspect(0, null, null);
    }

    private final int maxAttempts;
    private final int maxDeliveries;
    private final boolean deadLetters;
    private final Map<RecordId, Suspect> suspects = new HashMap<>();

    /**
     * Knows nothing yet.
     *
     * @param maxAttempts how often a record is tried before it is a dead letter
     * @param maxDeliveries at which delivery it is a dead letter
     * @param deadLetters whether there is a place for dead letters
     */
    ShareIsolation(int maxAttempts, int maxDeliveries, boolean deadLetters) {
        this.maxAttempts = maxAttempts;
        this.maxDeliveries = maxDeliveries;
        this.deadLetters = deadLetters;
    }

    /**
     * {@return the next batch; a dead letter if its one record has been tried, or delivered, often enough}
     *
     * @param held what the lane has, at least one
     * @param most how many records a batch may have
     */
    Batch next(Collection<ConsumerRecord<byte[], byte[]>> held, int most) {
        List<ConsumerRecord<byte[], byte[]>> clean = new ArrayList<>(Math.min(most, held.size()));
        Map<Search, List<ConsumerRecord<byte[], byte[]>>> searches = new LinkedHashMap<>();
        List<ConsumerRecord<byte[], byte[]>> alone = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : held) {
            Suspect suspect = suspect(record);
            if (suspect.search() != null) {
                searches.computeIfAbsent(suspect.search(), search -> new ArrayList<>())
                        .add(record);
            } else if (suspect.attempts() > 0 || isDeliveredOften(record)) {
                alone.add(record);
            } else {
                clean.add(record);
                if (clean.size() == most) {
                    break;
                }
            }
        }
        if (!clean.isEmpty()) {
            return Batch.ofRecords(clean);
        }
        return searches.isEmpty() ? alone(alone) : part(searches);
    }

    @Override
    void blame(ConsumerRecord<byte[], byte[]> record, TxnError error) {
        suspects.put(RecordId.of(record), new Suspect(attempts(record) + 1, error, null));
    }

    /** The lane does not have this record any more. */
    void forget(RecordId record) {
        suspects.remove(record);
    }

    /** {@return how often the record has failed while this lane had it} */
    @Override
    int attempts(ConsumerRecord<byte[], byte[]> record) {
        return suspect(record).attempts();
    }

    @Override
    void search(Batch batch, Search search) {
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            Suspect before = suspect(record);
            suspects.put(RecordId.of(record), new Suspect(before.attempts(), before.error(), search));
        }
    }

    private Suspect suspect(ConsumerRecord<byte[], byte[]> record) {
        return suspects.isEmpty() ? Suspect.NONE : suspects.getOrDefault(RecordId.of(record), Suspect.NONE);
    }

    private Batch part(Map<Search, List<ConsumerRecord<byte[], byte[]>>> searches) {
        Map.Entry<Search, List<ConsumerRecord<byte[], byte[]>>> first =
                searches.entrySet().iterator().next();
        Search search = first.getKey();
        List<ConsumerRecord<byte[], byte[]>> records = first.getValue();
        return search.of(Batch.ofRecords(List.copyOf(records.subList(0, Math.min(search.limit(), records.size())))));
    }

    private Batch alone(List<ConsumerRecord<byte[], byte[]>> records) {
        boolean fromTheEnd = deliveries(records.get(0)) % 2 == 0;
        ConsumerRecord<byte[], byte[]> record = records.get(fromTheEnd ? records.size() - 1 : 0);
        Batch batch = Batch.ofRecords(List.of(record)).carefully();
        Suspect suspect = suspect(record);
        if (suspect.error() != null && suspect.attempts() >= maxAttempts) {
            return batch.asDeadLetter(suspect.error());
        }
        return deadLetters && deliveries(record) >= maxDeliveries
                ? batch.asDeadLetter(tooOften(deliveries(record)))
                : batch;
    }

    private boolean isDeliveredOften(ConsumerRecord<byte[], byte[]> record) {
        return deliveries(record) > Math.max(1, maxDeliveries / 2);
    }

    private static int deliveries(ConsumerRecord<byte[], byte[]> record) {
        return record.deliveryCount().orElse((short) 1);
    }

    private TxnError tooOften(int deliveries) {
        return ErrorClassifier.classify(
                Operation.TRANSFORM,
                new KafkaException("delivered " + deliveries + " times, with maxDeliveries=" + maxDeliveries
                        + ": no worker has finished with it, and the broker would not deliver it for ever"),
                Condition.USABLE);
    }
}
