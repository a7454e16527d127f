package io.github.kafkatxn.metrics;

import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One Micrometer observation, hence one span, for each transaction, from begin to the answer of its end.
 *
 * <pre>{@code
 * TransactionObservations observations = TransactionObservations.create(observationRegistry);
 * ProducerSettings.builder().listener(observations);                // a producer
 * ProcessorSettings.builder().transactionListener(observations);    // a processor
 * }</pre>
 *
 * <ul>
 *   <li>Name {@code kafka.txn}, contextual name {@code kafka transaction}; its parent is the observation that is
 *       current on the thread that begins the transaction.
 *   <li>Low-cardinality key values, set at its end: {@code outcome}, {@code category} and {@code action}, with the
 *       values that {@link TransactionMetrics} has as tags.
 *   <li>High-cardinality key values: {@code transactional.id} and, at its end, {@code records}.
 *   <li>Events: {@code kafka.txn.retry} for every repeated call, {@code kafka.txn.in.doubt} for every commit that was
 *       not answered in time.
 *   <li>Error: the cause of what kept the transaction from being committed.
 * </ul>
 *
 * <p>It is not made the current observation of the thread, because a listener cannot take that back reliably: a
 * transaction may be ended by another thread (closing the producer does), and the application may open and close scopes
 * of its own in between, which have to nest. A scope that is not closed in order, on its own thread, puts later work
 * under a transaction that has long ended. Where the application wants its own work to be part of the transaction, it
 * opens the scope and closes it:
 *
 * <pre>{@code
 * try (var scope = observations.observation(transaction.transactionalId()).openScope()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Safe for any number of producers and lanes at once; only open transactions are kept, one for each transactional
 * id. If a transaction begins while an older one with the same id is open, the older one's producer has been replaced:
 * its observation is stopped, with outcome {@code abandoned}.
 */
public final class TransactionObservations implements TransactionListener {
    private static final PerConstant<Outcome, String> OUTCOMES = PerConstant.tagValues(Outcome.class);
    private static final PerConstant<ErrorCategory, String> CATEGORIES = PerConstant.tagValues(ErrorCategory.class);
    private static final PerConstant<Action, String> ACTIONS = PerConstant.tagValues(Action.class);

    private final ObservationRegistry registry;
    private final Map<String, Observation> open = new ConcurrentHashMap<>();

    private TransactionObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    /**
     * Observes transactions.
     *
     * @param registry whose handlers see the observations, and whose current observation is their parent
     * @return to be given to the settings of producers and processors; there is nothing to close
     */
    public static TransactionObservations create(ObservationRegistry registry) {
        return new TransactionObservations(registry);
    }

    /**
     * The observation of an open transaction, to open a scope with or to add key values to. Do not stop it.
     *
     * @param transactionalId the producer's id
     * @return the observation; {@link Observation#NOOP} if no transaction is open
     */
    public Observation observation(String transactionalId) {
        return open.getOrDefault(transactionalId, Observation.NOOP);
    }

    @Override
    public void onBegin(String transactionalId) {
        Observation begun = Observation.createNotStarted("kafka.txn", registry)
                .contextualName("kafka transaction")
                .highCardinalityKeyValue("transactional.id", transactionalId);
        Observation replaced = open.put(transactionalId, begun);
        if (replaced != null) {
            stop(replaced, Outcome.ABANDONED, Optional.empty());
        }
        begun.start();
    }

    @Override
    public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
        Observation ended = open.remove(transactionalId);
        if (ended != null) {
            ended.highCardinalityKeyValue("records", Long.toString(stats.records()));
            stop(ended, outcome, error);
        }
    }

    @Override
    public void onInDoubt(String transactionalId, TxnError error) {
        observation(transactionalId).event(Event.of("kafka.txn.in.doubt", "commit in doubt"));
    }

    @Override
    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
        observation(transactionalId).event(Event.of("kafka.txn.retry", "retry " + operation));
    }

    int openTransactions() {
        return open.size();
    }

    private static void stop(Observation observation, Outcome outcome, Optional<TxnError> error) {
        observation
                .lowCardinalityKeyValue("outcome", OUTCOMES.get(outcome))
                .lowCardinalityKeyValue(
                        "category",
                        error.map(TxnError::category).map(CATEGORIES::get).orElse(TransactionCounters.NONE))
                .lowCardinalityKeyValue(
                        "action", error.map(TxnError::action).map(ACTIONS::get).orElse(TransactionCounters.NONE));
        error.map(TxnError::cause).ifPresent(observation::error);
        observation.stop();
    }
}
