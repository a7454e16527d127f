package io.github.kafkatxn.internal.client;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a {@link KafkaProducer} that its API does not give: who it is to the brokers, and which transaction
 * protocol it speaks.
 *
 * <p>Whether they are where they are expected is looked at once, for each producer, when it is made. Safe for every
 * thread, as far as the client's own fields are.
 */
public final class ProducerInternals {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerInternals.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final Object manager;
    private final Method identity;
    private final Method secondVersion;
    private final Field started;
    private final Field producerId;
    private final Field epoch;

    private ProducerInternals(Producer<?, ?> producer) throws ReflectiveOperationException {
        manager = Objects.requireNonNull(
                open(KafkaProducer.class.getDeclaredField("transactionManager")).get(producer), "transactionManager");
        Class<?> type = manager.getClass();
        identity = type.getDeclaredMethod("producerIdAndEpoch");
        identity.setAccessible(true);
        secondVersion = type.getDeclaredMethod("isTransactionV2Enabled");
        secondVersion.setAccessible(true);
        started = open(type.getDeclaredField("transactionStarted"));
        producerId = open(identity.getReturnType().getDeclaredField("producerId"));
        epoch = open(identity.getReturnType().getDeclaredField("epoch"));
        started.getBoolean(manager);
        who();
        isSecondVersion();
    }

    /**
     * Who a producer is to the brokers.
     *
     * @param producerId its id
     * @param epoch the epoch of its open transaction
     */
    public record Identity(long producerId, short epoch) {}

    /**
     * Looks whether the inside of a producer is as expected; if not, says so in the log, once.
     *
     * @param producer transactional
     * @return its inside; empty if it is another one than expected
     */
    public static Optional<ProducerInternals> of(Producer<?, ?> producer) {
        try {
            if (producer instanceof KafkaProducer) {
                return Optional.of(new ProducerInternals(producer));
            }
            tell("it is a " + producer.getClass().getName());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            tell(e.toString());
        }
        return Optional.empty();
    }

    /**
     * {@return whether the open transaction is of version 2 (KIP-890): what is written or committed in it adds itself
     * to it}
     */
    public boolean isTransactionVersion2() {
        try {
            return isSecondVersion();
        } catch (ReflectiveOperationException e) {
            throw changed(e);
        }
    }

    /** {@return who the producer is in its open transaction} */
    public Identity identity() {
        try {
            return who();
        } catch (ReflectiveOperationException e) {
            throw changed(e);
        }
    }

    /** Something was sent in the open transaction of which the producer does not know: it has to be ended as well. */
    public void transactionStarted() {
        try {
            started.setBoolean(manager, true);
        } catch (ReflectiveOperationException e) {
            throw changed(e);
        }
    }

    private boolean isSecondVersion() throws ReflectiveOperationException {
        return (boolean) Objects.requireNonNull(secondVersion.invoke(manager));
    }

    private Identity who() throws ReflectiveOperationException {
        Object current = Objects.requireNonNull(identity.invoke(manager));
        return new Identity(producerId.getLong(current), epoch.getShort(current));
    }

    private static Field open(Field field) {
        field.setAccessible(true);
        return field;
    }

    private static IllegalStateException changed(ReflectiveOperationException e) {
        return new IllegalStateException("the inside of KafkaProducer has changed while it was in use", e);
    }

    /**
     * Says in the log, once in this JVM, that the client is another one than expected.
     *
     * @param why what is missing
     */
    public static void tell(String why) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.warn(
                    "The inside of the producer is not as expected: {}. Input offsets are sent by the"
                            + " producer itself: without topic ids of their own, with one error for all partitions, and with"
                            + " an abort that can be held up when an input topic has gone.",
                    why);
        }
    }
}
