package io.github.kafkatxn.metrics;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.ObservationContextAssert;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactionObservationsTest {
    private static final TransactionStats STATS = Events.stats(7, Duration.ofMillis(250));
    private static final TxnError FENCED = Events.error(ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE);

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final TransactionObservations observations = TransactionObservations.create(registry);

    @Test
    void committed() {
        observations.onBegin("app-0");
        observations.onEnd("app-0", Outcome.COMMITTED, STATS, Optional.empty());

        assertThat(registry)
                .hasSingleObservationThat()
                .hasNameEqualTo("kafka.txn")
                .hasContextualNameEqualTo("kafka transaction")
                .hasBeenStarted()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "committed")
                .hasLowCardinalityKeyValue("category", "none")
                .hasLowCardinalityKeyValue("action", "none")
                .hasHighCardinalityKeyValue("transactional.id", "app-0")
                .hasHighCardinalityKeyValue("records", "7")
                .hasOnlyKeys("outcome", "category", "action", "transactional.id", "records")
                .doesNotHaveError()
                .doesNotHaveParentObservation();
    }

    @Test
    void failedWithCategoryActionAndError() {
        observations.onBegin("app-0");
        observations.onEnd("app-0", Outcome.ABANDONED, STATS, Optional.of(FENCED));

        assertThat(registry)
                .hasSingleObservationThat()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "abandoned")
                .hasLowCardinalityKeyValue("category", "application_recoverable")
                .hasLowCardinalityKeyValue("action", "recreate")
                .hasError(FENCED.cause());
    }

    @Test
    void openUntilItsEndIsAnswered() {
        observations.onBegin("app-0");

        assertThat(registry).hasSingleObservationThat().hasBeenStarted().isNotStopped();
    }

    @Test
    void itsParentIsWhatIsCurrentAtBegin() {
        Observation parent = Observation.start("batch", registry);
        parent.scoped(() -> observations.onBegin("app-0"));
        observations.onEnd("app-0", Outcome.COMMITTED, STATS, Optional.empty());

        assertThat(registry).hasObservationWithNameEqualTo("kafka.txn").that().hasParentObservationEqualTo(parent);
    }

    @Test
    void leavesTheThreadsCurrentObservationAlone() throws InterruptedException {
        observations.onBegin("app-0");
        assertThat(registry.getCurrentObservation()).isNull();

        Thread closing = new Thread(() -> observations.onEnd("app-0", Outcome.ABORTED, STATS, Optional.empty()));
        closing.start();
        closing.join();

        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(registry).hasSingleObservationThat().hasBeenStopped();
    }

    @Test
    void theApplicationCanPutItsWorkUnderTheTransaction() {
        observations.onBegin("app-0");
        try (Observation.Scope scope = observations.observation("app-0").openScope()) {
            assertThat(scope.getCurrentObservation()).isNotNull();
            Observation.start("transform", registry).stop();
        }
        observations.onEnd("app-0", Outcome.COMMITTED, STATS, Optional.empty());

        assertThat(registry)
                .hasObservationWithNameEqualTo("transform")
                .that()
                .hasParentObservationContextSatisfying(
                        parent -> assertThat(parent.getName()).isEqualTo("kafka.txn"));
        assertThat(observations.observation("app-0")).isSameAs(Observation.NOOP);
    }

    @Test
    void retriesAndDoubtsAreEvents() {
        List<String> events = new ArrayList<>();
        registry.observationConfig().observationHandler(new EventNames(events));

        observations.onRetry("app-0", Operation.INIT, new IllegalStateException());
        observations.onBegin("app-0");
        observations.onRetry("app-0", Operation.COMMIT, new IllegalStateException());
        observations.onInDoubt("app-0", FENCED);

        assertThat(events).containsExactly("kafka.txn.retry: retry commit", "kafka.txn.in.doubt: commit in doubt");
    }

    @Test
    void oneThatWasReplacedIsStopped() {
        observations.onBegin("app-0");
        Observation replaced = observations.observation("app-0");
        observations.onBegin("app-0");

        ObservationContextAssert.assertThat(replaced.getContextView())
                .hasLowCardinalityKeyValue("outcome", "abandoned");
        assertThat(observations.observation("app-0")).isNotSameAs(replaced);
        assertThat(observations.openTransactions()).isEqualTo(1);
    }

    @Test
    void anEndThatIsToldTwiceIsOneEnd() {
        observations.onBegin("app-0");
        observations.onEnd("app-0", Outcome.ABANDONED, STATS, Optional.empty());

        assertThatCode(() -> observations.onEnd("app-0", Outcome.COMMITTED, STATS, Optional.empty()))
                .doesNotThrowAnyException();
        assertThat(registry).hasSingleObservationThat().hasLowCardinalityKeyValue("outcome", "abandoned");
    }

    private record EventNames(List<String> names) implements ObservationHandler<Observation.Context> {
        @Override
        public void onEvent(Event event, Observation.Context context) {
            names.add(event.getName() + ": " + event.getContextualName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
