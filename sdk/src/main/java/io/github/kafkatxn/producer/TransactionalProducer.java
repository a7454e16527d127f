package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import io.github.resilience4j.retry.Retry;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transactional producer whose every call says what to do next (KIP-98, KIP-1050).
 *
 * <pre>{@code
 * try (var producer = TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new)) {
 *     producer.init().orElseThrow();
 *     Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
 *     transaction.send(new ProducerRecord<>("payments", "id", "100"));
 *     transaction.commit().orElseThrow();
 * }
 * }</pre>
 *
 * <p>One open transaction at a time. {@link #init()}, {@link #beginTransaction()} and {@link #recreate()} are for one
 * thread at a time; the thread that begins a transaction owns it until it ends. {@link #close(Duration)} may be called
 * by any thread.
 *
 * @param <K> key type
 * @param <V> value type
 */
public final class TransactionalProducer<K, V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final ProducerSettings settings;
    private final Supplier<? extends Serializer<? super K>> keySerializer;
    private final Supplier<? extends Serializer<? super V>> valueSerializer;
    private final ListenerHub listeners;
    private volatile @Nullable ProducerCore<K, V> core;
    private volatile boolean closed;

    private TransactionalProducer(
            ProducerSettings settings,
            Supplier<? extends Serializer<? super K>> keySerializer,
            Supplier<? extends Serializer<? super V>> valueSerializer) {
        this.settings = settings;
        this.keySerializer = keySerializer;
        this.valueSerializer = valueSerializer;
        this.listeners = new ListenerHub(settings.transactionalId(), settings.listeners());
    }

    /**
     * A producer that has not connected yet; {@link #init()} comes first.
     *
     * @param settings its settings
     * @param keySerializer makes the key serializer, which the producer closes
     * @param valueSerializer makes the value serializer, which the producer closes
     * @param <K> key type
     * @param <V> value type
     * @return the producer; the caller closes it
     */
    public static <K, V> TransactionalProducer<K, V> create(
            ProducerSettings settings,
            Supplier<? extends Serializer<? super K>> keySerializer,
            Supplier<? extends Serializer<? super V>> valueSerializer) {
        return new TransactionalProducer<>(settings, keySerializer, valueSerializer);
    }

    /**
     * Connects, takes over the transactional id (any older producer with it is fenced) and waits until whatever that
     * one had left open has ended. Blocks at most the {@linkplain ProducerSettings#callTimeout() call timeout}; may be
     * repeated after {@code RETRY_CALL}.
     *
     * @return this producer, ready for {@link #beginTransaction()}. A failure that is neither a wait nor a fence is
     *     {@code STOP}: another producer would fail the same way
     */
    public TxnResult<TransactionalProducer<K, V>> init() {
        if (closed) {
            return TxnResult.failure(Refusals.wrongState(Operation.INIT, ProducerState.CLOSED));
        }
        ProducerCore<K, V> made = core;
        if (made == null) {
            try {
                made = new ProducerCore<>(settings, newClient(), listeners);
            } catch (RuntimeException e) {
                // The client says only that it could not be made; why is one level down.
                Throwable why = ProducerCore.saysNothing(e) && e.getCause() != null ? e.getCause() : e;
                return TxnResult.failure(ErrorClassifier.classify(Operation.INIT, why, Condition.NEW));
            }
            core = made;
            if (closed) {
                // By another thread, which has not seen this client.
                ProducerClose.close(made, settings.closeTimeout());
            }
        }
        if (made.state() != ProducerState.NEW) {
            return made.state() == ProducerState.READY
                    ? TxnResult.success(this)
                    : TxnResult.failure(Refusals.wrongState(Operation.INIT, made.state()));
        }
        return initialise(made);
    }

    /**
     * Begins a transaction, owned by the calling thread. Does not block.
     *
     * @return the open transaction; {@code RECREATE} if the client cannot begin one any more, which with transaction
     *     version 1 happens when the delivery timeout of a record has passed during the abort before
     */
    public TxnResult<Transaction<K, V>> beginTransaction() {
        ProducerCore<K, V> c = core;
        if (c != null && c.isCallbackThread()) {
            return TxnResult.failure(Refusals.fromCallback(Operation.BEGIN));
        }
        ProducerState state = c == null ? (closed ? ProducerState.CLOSED : ProducerState.NEW) : c.state();
        if (c == null || state != ProducerState.READY) {
            return TxnResult.failure(Refusals.wrongState(Operation.BEGIN, state));
        }
        Transaction<K, V> transaction = new Transaction<>(c);
        try {
            if (!c.begin(transaction)) {
                return TxnResult.failure(Refusals.wrongState(Operation.BEGIN, c.state()));
            }
        } catch (RuntimeException e) {
            c.moveTo(ProducerState.DEAD);
            return TxnResult.failure(
                    Refusals.isWithoutEpoch(e)
                            ? Refusals.withoutEpoch(e)
                            : c.failure(Operation.BEGIN, e, Condition.UNUSABLE));
        }
        listeners.begin();
        if (!c.told()) {
            return TxnResult.success(transaction);
        }
        if (c.release(transaction)) {
            listeners.end(Outcome.ABANDONED, transaction.stats(), null);
        }
        return TxnResult.failure(Refusals.wrongState(Operation.BEGIN, c.state()));
    }

    /**
     * What {@code RECREATE} asks for: closes this producer, without waiting for what it has lost, and initialises a new
     * one with the same settings. Whatever this one had left open is then over, and the committed offsets tell how a
     * commit in doubt went. Blocks at most the call timeout and a second.
     *
     * @return the new producer, ready; the caller closes it. This one is closed in any case, unless the call comes from
     *     one of its send callbacks, which is refused
     */
    public TxnResult<TransactionalProducer<K, V>> recreate() {
        ProducerCore<K, V> c = core;
        if (c != null && c.isCallbackThread()) {
            return TxnResult.failure(Refusals.fromCallback(Operation.INIT));
        }
        TxnResult<Duration> end = close(Duration.ofSeconds(1));
        end.error().ifPresent(error -> LOG.warn("{}", error.message()));
        TransactionalProducer<K, V> next = create(settings, keySerializer, valueSerializer);
        TxnResult<TransactionalProducer<K, V>> result = next.init();
        if (!result.isSuccess()) {
            next.close(Duration.ofSeconds(1));
        }
        return result;
    }

    /** {@return the settings it was made with} */
    public ProducerSettings settings() {
        return settings;
    }

    /** {@return the client's own metrics; empty before {@link #init()}} */
    public Map<MetricName, ? extends Metric> metrics() {
        ProducerCore<K, V> c = core;
        return c == null ? Map.of() : c.client.metrics();
    }

    /**
     * The events of the retries within init, commit and abort.
     *
     * @return to register consumers with
     * @throws IllegalStateException before {@link #init()}
     */
    public Retry.EventPublisher retryEvents() {
        ProducerCore<K, V> c = core;
        if (c == null) {
            throw new IllegalStateException("call init() first: the retries belong to the connected client");
        }
        return c.calls.retryEvents();
    }

    /**
     * Closes the producer. An open transaction is aborted; a commit that has been asked for is waited for and never
     * turned into an abort. What is not answered in time is given up, and the broker ends it after the transaction
     * timeout, or as soon as a producer with the same transactional id is initialised.
     *
     * @param timeout at least 1 ms, and at most that long it takes
     * @return how long it took; a failure if something held it up longer than that, such as a callback that blocks
     * @throws IllegalArgumentException if the timeout is shorter
     */
    public TxnResult<Duration> close(Duration timeout) {
        ProducerProperties.millis("close timeout", timeout);
        ProducerCore<K, V> c = core;
        if (c != null && c.isCallbackThread()) {
            return TxnResult.failure(Refusals.fromCallback(Operation.CLOSE));
        }
        closed = true;
        // Again, now that a concurrent init() sees that it has to close what it makes.
        c = core;
        return c == null ? TxnResult.success(Duration.ZERO) : ProducerClose.close(c, timeout);
    }

    /**
     * Closes the producer within the {@linkplain ProducerSettings#closeTimeout() close timeout}; a failure is logged.
     */
    @Override
    public void close() {
        close(settings.closeTimeout()).error().ifPresent(error -> LOG.warn("{}", error.message()));
    }

    private TxnResult<TransactionalProducer<K, V>> initialise(ProducerCore<K, V> made) {
        Deadline deadline = made.deadline();
        // What is kept back is for asking why, should there be no answer.
        Deadline answer = deadline.earlier(InitDiagnosis.share(settings.callTimeout()));
        RuntimeException failure = made.calls.untilAnswered(Operation.INIT, answer, made.client::initTransactions);
        if (failure == null) {
            return made.moveTo(ProducerState.READY)
                    ? TxnResult.success(this)
                    : TxnResult.failure(Refusals.wrongState(Operation.INIT, ProducerState.CLOSED));
        }
        TxnError error = made.failure(Operation.INIT, failure, Condition.NEW);
        if (error.action() != Action.RETRY_CALL) {
            made.moveTo(ProducerState.DEAD);
        }
        boolean unclear = failure instanceof TimeoutException || ProducerCore.saysNothing(failure);
        return TxnResult.failure(
                unclear && made.state() != ProducerState.CLOSED
                        ? error.withDetail(InitDiagnosis.of(settings, deadline))
                        : error);
    }

    private Producer<K, V> newClient() {
        // Configured here, since the client configures only serializers it has made itself.
        CheckedSerializer<K> key = new CheckedSerializer<>(keySerializer.get(), true);
        CheckedSerializer<V> value = new CheckedSerializer<>(valueSerializer.get(), false);
        try {
            key.configure(settings.properties(), true);
            value.configure(settings.properties(), false);
            return new KafkaProducer<>(settings.properties(), key, value);
        } catch (RuntimeException e) {
            Utils.closeQuietly(key, "key serializer");
            Utils.closeQuietly(value, "value serializer");
            throw e;
        }
    }
}
