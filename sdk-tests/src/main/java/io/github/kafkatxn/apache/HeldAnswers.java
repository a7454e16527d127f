package io.github.kafkatxn.apache;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.protocol.ApiKeys;

/** Answers that a {@link Relay} keeps back. Thread-safe. */
public final class HeldAnswers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ApiKeys api;
    private final String clientId;
    private final Consumer<HeldAnswers> onClose;
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    HeldAnswers(ApiKeys api, String clientId, Consumer<HeldAnswers> onClose) {
        this.api = api;
        this.clientId = clientId;
        this.onClose = onClose;
    }

    /** Waits until there is one, 20 seconds at most; an {@link AssertionError} tells if there is none. */
    public void await() {
        try {
            if (!first.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(
                        "no answer to a request " + api + " of client " + clientId + " within " + PATIENCE);
            }
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while waiting for an answer to " + api, e);
        }
    }

    /** Lets them go; nothing is held any more. A second call does nothing. */
    @Override
    public void close() {
        onClose.accept(this);
        over.countDown();
    }

    boolean are(short apiKey, String client) {
        return api.id == apiKey && clientId.equals(client);
    }

    /** Called with an answer in hand: returns when it may go. */
    void keep() throws InterruptedException {
        first.countDown();
        over.await();
    }
}
