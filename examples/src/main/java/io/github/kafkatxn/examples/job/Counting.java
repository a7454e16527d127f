package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Counts what an instance goes through. */
final class Counting implements TransactionListener, ProcessorListener {
    private final Tally tally = new Tally();

    Tally tally() {
        return tally;
    }

    @Override
    public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
        // Without an error nothing was wrong with the transaction: the transform threw, or the partitions are gone.
        String why = ":" + error.map(e -> e.category().toString()).orElse(Tally.BY_THE_APPLICATION);
        tally.add(outcome == Outcome.COMMITTED ? Tally.TRANSACTIONS : name(Tally.ENDED + outcome + why), 1);
    }

    @Override
    public void onInDoubt(String transactionalId, TxnError error) {
        tally.add(Tally.IN_DOUBT, 1);
    }

    @Override
    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
        tally.add(Tally.RETRIES, 1);
    }

    @Override
    public void onRewind(int lane, TxnError error, Map<TopicPartition, Long> positions) {
        tally.add(Tally.REWINDS, 1);
    }

    @Override
    public void onProducerRebuilt(int lane, String transactionalId, TxnError error) {
        tally.add(Tally.REBUILT, 1);
    }

    @Override
    public void onDeadLetter(int lane, TopicPartition partition, long offset, TxnError error) {
        tally.add(Tally.DEAD_LETTERS, 1);
    }

    @Override
    public void onPossibleDuplicates(int lane, int records, TxnError error) {
        tally.add(Tally.POSSIBLE_DUPLICATES, records);
    }

    @Override
    public void onProcessed(int lane, int records) {
        tally.add(Tally.RECORDS, records);
    }

    private static String name(String text) {
        return text.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
