package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListenerHubTest {
    private final List<String> told = new ArrayList<>();

    @Test
    void whatAListenerThrowsReachesNeitherTheTransactionNorTheNextListener() {
        ListenerHub hub = new ListenerHub(
                "id",
                List.of(
                        new Throwing(new IllegalStateException("exception")),
                        new Throwing(new NoClassDefFoundError("error")),
                        new Noting()));
        TxnError error = Refusals.ended(Operation.COMMIT);

        assertThatCode(() -> {
                    hub.begin();
                    hub.retry(Operation.COMMIT, new IllegalStateException());
                    hub.inDoubt(error);
                    hub.end(Outcome.COMMITTED, new TransactionStats(1, 2, Duration.ofMillis(3)), null);
                    hub.end(Outcome.ABORTED, new TransactionStats(1, 2, Duration.ofMillis(3)), error);
                })
                .doesNotThrowAnyException();

        assertThat(told)
                .containsExactly(
                        "id begin", "id retry commit", "id inDoubt", "id COMMITTED 1 2 false", "id ABORTED 1 2 true");
    }

    /** Overriding nothing is fine. */
    @Test
    void aListenerNeedsNoMethod() {
        ListenerHub hub = new ListenerHub("id", List.of(new TransactionListener() {}));

        assertThatCode(() -> {
                    hub.begin();
                    hub.retry(Operation.COMMIT, new IllegalStateException());
                    hub.inDoubt(Refusals.ended(Operation.COMMIT));
                    hub.end(Outcome.ABANDONED, new TransactionStats(0, 0, Duration.ZERO), null);
                })
                .doesNotThrowAnyException();
    }

    private final class Noting implements TransactionListener {
        @Override
        public void onBegin(String id) {
            told.add(id + " begin");
        }

        @Override
        public void onEnd(String id, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            told.add(id + " " + outcome + " " + stats.records() + " " + stats.offsets() + " " + error.isPresent());
        }

        @Override
        public void onInDoubt(String id, TxnError error) {
            told.add(id + " inDoubt");
        }

        @Override
        public void onRetry(String id, Operation operation, Throwable cause) {
            told.add(id + " retry " + operation);
        }
    }

    /** Throws whatever it is told. */
    private record Throwing(Throwable failure) implements TransactionListener {
        @Override
        public void onBegin(String id) {
            fail();
        }

        @Override
        public void onEnd(String id, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            fail();
        }

        @Override
        public void onInDoubt(String id, TxnError error) {
            fail();
        }

        @Override
        public void onRetry(String id, Operation operation, Throwable cause) {
            fail();
        }

        private void fail() {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
    }
}
