package io.github.kafkatxn.metrics;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;

/** The meters in the table of {@link TransactionMetrics}, all registered at once. */
final class TransactionMeters {
    final MeterSet all;
    final TransactionCounters transactions;
    final PerConstant<Outcome, Timer> durations;
    final PerConstant<Outcome, DistributionSummary> records;
    final PerConstant<Operation, Counter> retries;
    final PerConstant<OffsetsPath, Counter> offsets;
    final Counter shareAcknowledgements;
    final PerConstant<Settlement, Counter> settled;
    final PerConstant<ErrorCategory, Counter> rewinds;
    final Counter inDoubt;
    final Counter rebuilt;
    final Counter deadLetters;
    final Counter processed;
    final Counter possibleDuplicates;
    final PerConstant<Guarantee, Counter> lanes;

    TransactionMeters(MeterSet meters, OpenTransactions open) {
        all = meters;
        meters.onlyGauge("kafka.txn.open.age", "Age of the oldest open transaction", open::oldestSeconds);
        transactions = new TransactionCounters(meters);
        durations = new PerConstant<>(Outcome.class, outcome -> duration(meters, outcome));
        records = new PerConstant<>(Outcome.class, outcome -> records(meters, outcome));
        retries = new PerConstant<>(Operation.class, operation -> retries(meters, operation));
        offsets =
                counters(OffsetsPath.class, "path", meters, "kafka.txn.offsets", "calls", "How input offsets went out");
        shareAcknowledgements = meters.counter(
                "kafka.txn.share.acknowledgements", "records", "Records of share groups acknowledged in transactions");
        inDoubt = meters.counter(
                "kafka.txn.in.doubt", "transactions", "Transactions whose commit was not answered in time");
        settled = counters(
                Settlement.class,
                "settlement",
                meters,
                "kafka.txn.in.doubt.settled",
                "transactions",
                "How commits in doubt went");
        rewinds = counters(
                ErrorCategory.class,
                "category",
                meters,
                "kafka.txn.rewinds",
                "batches",
                "Batches that were not committed and went back");
        rebuilt = meters.counter("kafka.txn.producers.rebuilt", "producers", "Producers that were replaced");
        deadLetters = meters.counter("kafka.txn.dead.letters", "records", "Input records committed as dead letters");
        processed = meters.counter("kafka.txn.processed", "records", "Input records committed, dead letters apart");
        possibleDuplicates = meters.counter(
                "kafka.txn.possible.duplicates", "records", "Input records that may come again, though committed");
        lanes = counters(
                Guarantee.class,
                "guarantee",
                meters,
                "kafka.txn.lanes.started",
                "lanes",
                "Lanes that began to work, by what they promise");
    }

    private static Timer duration(MeterSet meters, Outcome outcome) {
        return meters.timer(
                "kafka.txn.duration", "From begin to the answer of the end", "outcome", PerConstant.tagValue(outcome));
    }

    private static DistributionSummary records(MeterSet meters, Outcome outcome) {
        return meters.summary(
                "kafka.txn.records",
                "records",
                "Records sent in a transaction",
                "outcome",
                PerConstant.tagValue(outcome));
    }

    private static Counter retries(MeterSet meters, Operation operation) {
        return meters.counter(
                "kafka.txn.retries", "calls", "Calls that were repeated", "operation", operation.toString());
    }

    /** A counter for each constant, which is the value of a tag. */
    private static <E extends Enum<E>> PerConstant<E, Counter> counters(
            Class<E> type, String tag, MeterSet meters, String name, String unit, String description) {
        return new PerConstant<>(
                type, constant -> meters.counter(name, unit, description, tag, PerConstant.tagValue(constant)));
    }
}
