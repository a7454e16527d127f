package io.github.kafkatxn.contract;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;

/** Everything a processor and its producers have told. */
public final class ProcessorEvents implements ProcessorListener, TransactionListener {

    /**
     * A dead letter.
     *
     * @param partition where the record came from
     * @param offset its offset
     * @param error why
     */
    public record Dead(TopicPartition partition, long offset, TxnError error) {}

    /**
     * A rewind.
     *
     * @param error why
     * @param positions where to
     */
    public record Rewind(TxnError error, Map<TopicPartition, Long> positions) {}

    private final List<Dead> deadLetters = new CopyOnWriteArrayList<>();
    private final List<Rewind> rewinds = new CopyOnWriteArrayList<>();
    private final List<Settlement> settlements = new CopyOnWriteArrayList<>();
    private final List<String> rebuilt = new CopyOnWriteArrayList<>();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final List<Operation> retries = new CopyOnWriteArrayList<>();
    private final List<Outcome> ends = new CopyOnWriteArrayList<>();
    private final List<TxnError> doubts = new CopyOnWriteArrayList<>();
    private final List<Guarantee> started = new CopyOnWriteArrayList<>();
    private final List<TxnError> possibleDuplicates = new CopyOnWriteArrayList<>();
    private final AtomicInteger processed = new AtomicInteger();

    /** Nothing told yet. */
    public ProcessorEvents() {}

    /** {@return the dead letters, in order} */
    public List<Dead> deadLetters() {
        return deadLetters;
    }

    /** {@return the rewinds, in order} */
    public List<Rewind> rewinds() {
        return rewinds;
    }

    /** {@return how commits in doubt were settled} */
    public List<Settlement> settlements() {
        return settlements;
    }

    /** {@return the transactional ids of rebuilt producers} */
    public List<String> rebuilt() {
        return rebuilt;
    }

    /** {@return how many input records each transaction had} */
    public List<Integer> batches() {
        return batches;
    }

    /** {@return calls of the producers that were repeated because no answer came} */
    public List<Operation> retries() {
        return retries;
    }

    /** {@return how transactions ended} */
    public List<Outcome> ends() {
        return ends;
    }

    /** {@return commits that were not answered in time} */
    public List<TxnError> doubts() {
        return doubts;
    }

    /** {@return what each lane could promise when it began} */
    public List<Guarantee> started() {
        return started;
    }

    /** {@return why records may have been delivered again though their outputs were committed} */
    public List<TxnError> possibleDuplicates() {
        return possibleDuplicates;
    }

    /** {@return how many input records were committed, dead letters apart} */
    public int processed() {
        return processed.get();
    }

    @Override
    public void onStarted(int lane, Guarantee guarantee) {
        started.add(guarantee);
    }

    @Override
    public void onPossibleDuplicates(int lane, int records, TxnError error) {
        possibleDuplicates.add(error);
    }

    @Override
    public void onRewind(int lane, TxnError error, Map<TopicPartition, Long> positions) {
        rewinds.add(new Rewind(error, positions));
    }

    @Override
    public void onProducerRebuilt(int lane, String transactionalId, TxnError error) {
        rebuilt.add(transactionalId);
    }

    @Override
    public void onSettled(int lane, Settlement settlement) {
        settlements.add(settlement);
    }

    @Override
    public void onDeadLetter(int lane, TopicPartition partition, long offset, TxnError error) {
        deadLetters.add(new Dead(partition, offset, error));
    }

    @Override
    public void onProcessed(int lane, int records) {
        batches.add(records);
        processed.addAndGet(records);
    }

    @Override
    public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
        ends.add(outcome);
    }

    @Override
    public void onInDoubt(String transactionalId, TxnError error) {
        doubts.add(error);
    }

    @Override
    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
        retries.add(operation);
    }
}
