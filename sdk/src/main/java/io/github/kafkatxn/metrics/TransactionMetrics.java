package io.github.kafkatxn.metrics;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Micrometer meters of transactions and processors.
 *
 * <pre>{@code
 * TransactionMetrics metrics = TransactionMetrics.create(registry);
 * ProducerSettings.builder().listener(metrics);                                // a producer
 * ProcessorSettings.builder().transactionListener(metrics).listener(metrics);  // a processor: both
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <thead>
 * <tr><th>name</th><th>type</th><th>unit</th><th>tags</th><th>what</th></tr>
 * </thead>
 * <tbody>
 * <tr><td>{@code kafka.txn.transactions}</td><td>counter</td><td>transactions</td>
 * <td>{@code outcome}, {@code category}, {@code action}</td>
 * <td>transactions that have ended, and what kept them from being committed</td></tr>
 * <tr><td>{@code kafka.txn.duration}</td><td>timer</td><td>time</td><td>{@code outcome}</td>
 * <td>from begin to the answer of the end</td></tr>
 * <tr><td>{@code kafka.txn.records}</td><td>distribution</td><td>records</td><td>{@code outcome}</td>
 * <td>records sent in a transaction</td></tr>
 * <tr><td>{@code kafka.txn.open.age}</td><td>gauge</td><td>time</td><td></td>
 * <td>age of the oldest open transaction, 0 if none is open; an abandoned one no longer counts</td></tr>
 * <tr><td>{@code kafka.txn.retries}</td><td>counter</td><td>calls</td><td>{@code operation}</td>
 * <td>calls, or requests of calls, that were repeated</td></tr>
 * <tr><td>{@code kafka.txn.offsets}</td><td>counter</td><td>calls</td><td>{@code path}</td>
 * <td>input offsets that became part of a transaction: by topic id, or what kept them from that</td></tr>
 * <tr><td>{@code kafka.txn.share.acknowledgements}</td><td>counter</td><td>records</td><td></td>
 * <td>records of share groups whose acknowledgements became part of a transaction (KIP-1289)</td></tr>
 * <tr><td>{@code kafka.txn.in.doubt}</td><td>counter</td><td>transactions</td><td></td>
 * <td>transactions whose commit was not answered in time, however often it was repeated</td></tr>
 * <tr><td>{@code kafka.txn.in.doubt.settled}</td><td>counter</td><td>transactions</td><td>{@code settlement}</td>
 * <td>how those went; the rest is still open, or nobody could tell: a new producer without a processor, or a
 * processor that has lost the partitions</td></tr>
 * <tr><td>{@code kafka.txn.rewinds}</td><td>counter</td><td>batches</td><td>{@code category}</td>
 * <td>batches that were not committed and went back</td></tr>
 * <tr><td>{@code kafka.txn.producers.rebuilt}</td><td>counter</td><td>producers</td><td></td>
 * <td>producers that were replaced</td></tr>
 * <tr><td>{@code kafka.txn.dead.letters}</td><td>counter</td><td>records</td><td></td>
 * <td>input records committed as dead letters</td></tr>
 * <tr><td>{@code kafka.txn.processed}</td><td>counter</td><td>records</td><td></td>
 * <td>input records committed, dead letters apart</td></tr>
 * <tr><td>{@code kafka.txn.lanes.started}</td><td>counter</td><td>lanes</td><td>{@code guarantee}</td>
 * <td>lanes that began to work, by what they promise: {@code exactly_once} or {@code at_least_once}</td></tr>
 * <tr><td>{@code kafka.txn.possible.duplicates}</td><td>counter</td><td>records</td><td></td>
 * <td>input records that may be delivered again though their outputs are committed: at least once only</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Tag values are enum constants in lower case, and {@code none} for the category and action of a transaction that
 * ended without an error; {@code operation} is {@link Operation#toString()}. {@code settlement} is {@code repeated} (a
 * repeated commit was answered; seen at the end of the transaction, so a producer without a processor has it too),
 * {@code not_committed} (it was answered with an abort, or a processor found so) or {@code committed} (a processor
 * found so).
 *
 * <p>All series exist from the start, with zero, so that a rate shows the first failure; there are some 80, and no
 * event adds one. Hence no topic, partition, offset, lane or transactional id is a tag: they grow with the input and
 * with the instances, and {@link TransactionObservations} has the transactional id where that costs nothing. To tell
 * processors of one application apart, give each its own meters with a tag that is constant. Histograms and percentiles
 * are off; a {@link io.micrometer.core.instrument.config.MeterFilter} turns them on.
 *
 * <p>Safe for any number of producers and lanes at once. An event costs a few increments; only open transactions are
 * kept, one for each transactional id.
 */
public final class TransactionMetrics implements TransactionListener, ProcessorListener, AutoCloseable {
    private final OpenTransactions open;
    private final TransactionMeters meters;

    private TransactionMetrics(MeterRegistry registry, Tags tags) {
        open = new OpenTransactions(registry.config().clock());
        meters = new TransactionMeters(new MeterSet(registry, tags), open);
    }

    /**
     * Registers the meters.
     *
     * @param registry where
     * @return to be given to the settings of producers and processors; the caller closes it
     * @throws IllegalArgumentException if the registry already has these meters
     */
    public static TransactionMetrics create(MeterRegistry registry) {
        return create(registry, Tags.empty());
    }

    /**
     * Registers the meters with some tags more.
     *
     * @param registry where
     * @param tags for every meter; where a meter has a tag of its own with the same key, that one counts
     * @return to be given to the settings of producers and processors; the caller closes it
     * @throws IllegalArgumentException if the registry already has these meters with these tags: the gauge would show
     *     only one of the two
     */
    public static TransactionMetrics create(MeterRegistry registry, Tags tags) {
        return new TransactionMetrics(registry, tags);
    }

    @Override
    public void onBegin(String transactionalId) {
        open.begin(transactionalId);
    }

    @Override
    public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
        boolean wasInDoubt = open.end(transactionalId);
        meters.transactions.get(outcome, error).increment();
        meters.durations.get(outcome).record(stats.duration());
        meters.records.get(outcome).record((double) stats.records());
        // A fence can leave the very first commit in doubt; the transaction then ends without being told in doubt.
        boolean leftInDoubt = error.isPresent() && error.get().inDoubt();
        if (leftInDoubt && !wasInDoubt) {
            meters.inDoubt.increment();
        }
        if (wasInDoubt || leftInDoubt) {
            settledBy(outcome);
        }
    }

    @Override
    public void onInDoubt(String transactionalId, TxnError error) {
        if (open.toInDoubt(transactionalId)) {
            meters.inDoubt.increment();
        }
    }

    @Override
    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
        meters.retries.get(operation).increment();
    }

    @Override
    public void onOffsets(String transactionalId, OffsetsPath path) {
        meters.offsets.get(path).increment();
    }

    @Override
    public void onShareAcknowledgements(String transactionalId, int records) {
        meters.shareAcknowledgements.increment(records);
    }

    @Override
    public void onStarted(int lane, Guarantee guarantee) {
        meters.lanes.get(guarantee).increment();
    }

    @Override
    public void onPossibleDuplicates(int lane, int records, TxnError error) {
        meters.possibleDuplicates.increment(records);
    }

    @Override
    public void onRewind(int lane, TxnError error, Map<TopicPartition, Long> positions) {
        meters.rewinds.get(error.category()).increment();
    }

    @Override
    public void onProducerRebuilt(int lane, String transactionalId, TxnError error) {
        meters.rebuilt.increment();
    }

    @Override
    public void onSettled(int lane, Settlement settlement) {
        // The end of the transaction has already said that a repeated commit was answered.
        if (settlement != Settlement.REPEATED) {
            meters.settled.get(settlement).increment();
        }
    }

    @Override
    public void onDeadLetter(int lane, TopicPartition partition, long offset, TxnError error) {
        meters.deadLetters.increment();
    }

    @Override
    public void onProcessed(int lane, int count) {
        meters.processed.increment(count);
    }

    /**
     * Takes the meters out of the registry, so that neither a gauge of something that has stopped nor this object stays
     * behind. Close it after its producers and processors; what a registry has not published by then is lost to it.
     * Events that come later do no harm and are not seen.
     */
    @Override
    public void close() {
        meters.all.remove();
    }

    int openTransactions() {
        return open.count();
    }

    private void settledBy(Outcome outcome) {
        switch (outcome) {
            case COMMITTED -> meters.settled.get(Settlement.REPEATED).increment();
            case ABORTED -> meters.settled.get(Settlement.NOT_COMMITTED).increment();
            case ABANDONED -> {
                // Only the committed offsets tell, and a processor reports what they told.
            }
        }
    }
}
