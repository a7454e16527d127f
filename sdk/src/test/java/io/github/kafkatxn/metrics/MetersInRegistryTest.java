package io.github.kafkatxn.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long the meters live, and whose they are. */
class MetersInRegistryTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void theGaugeOutlivesTheReferenceOfWhoeverMadeIt() {
        WeakReference<TransactionMetrics> metrics = new WeakReference<>(TransactionMetrics.create(registry));
        collectGarbageUntilGone(metrics);

        assertThat(registry.get("kafka.txn.open.age").timeGauge().value(TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void closeLeavesNothingBehind() {
        TransactionMetrics.create(registry, Tags.of("app", "other"));
        int others = registry.getMeters().size();
        TransactionMetrics metrics = TransactionMetrics.create(registry);

        metrics.close();
        metrics.close();
        metrics.onBegin("id");

        assertThat(registry.getMeters()).hasSize(others);
        assertThat(registry.find("kafka.txn.open.age").tag("app", "other").timeGauge())
                .isNotNull();
    }

    @Test
    void aClosedOneIsNotHeldByTheRegistry() {
        WeakReference<OpenTransactions> open = registeredAndRemoved();
        collectGarbageUntilGone(open);

        assertThat(open.get()).isNull();
    }

    @Test
    void secondOneWithTheSameTagsIsRefusedAndHarmsNothing() {
        TransactionMetrics.create(registry, Tags.of("app", "a"));
        int meters = registry.getMeters().size();

        assertThatThrownBy(() -> TransactionMetrics.create(registry, Tags.of("app", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kafka.txn.open.age")
                .hasMessageContaining("app");
        assertThat(registry.getMeters()).hasSize(meters);
    }

    @Test
    void sameTagsAreFineOnceTheFirstIsClosed() {
        TransactionMetrics.create(registry).close();
        TransactionMetrics second = TransactionMetrics.create(registry);
        second.onProcessed(0, 5);

        assertThat(registry.get("kafka.txn.processed").counter().count()).isEqualTo(5);
    }

    @Test
    void everyMeterHasTheExtraTags() {
        TransactionMetrics.create(registry, Tags.of("app", "payments"));

        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().getTag("app")).isEqualTo("payments"));
    }

    @Test
    void aCompositeOfRegistriesIsCleanedToo() {
        CompositeMeterRegistry both = new CompositeMeterRegistry();
        both.add(registry);

        TransactionMetrics metrics = TransactionMetrics.create(both);
        assertThat(registry.getMeters()).isNotEmpty();
        metrics.close();

        assertThat(registry.getMeters()).isEmpty();
        assertThat(both.getMeters()).isEmpty();
    }

    private WeakReference<OpenTransactions> registeredAndRemoved() {
        OpenTransactions open = new OpenTransactions(registry.config().clock());
        MeterSet meters = new MeterSet(registry, Tags.empty());
        new TransactionMeters(meters, open);
        meters.remove();
        return new WeakReference<>(open);
    }

    private static void collectGarbageUntilGone(WeakReference<?> reference) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (reference.get() != null && System.nanoTime() < end) {
            System.gc();
        }
    }
}
