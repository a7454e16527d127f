package io.github.kafkatxn.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Registers meters that share some tags, and takes all of them out of the registry again. */
final class MeterSet {
    private final MeterRegistry registry;
    private final Tags common;
    private final List<Meter> meters = new ArrayList<>();

    MeterSet(MeterRegistry registry, Tags common) {
        this.registry = registry;
        this.common = common;
    }

    Counter counter(String name, String unit, String description, String... tags) {
        return added(Counter.builder(name)
                .baseUnit(unit)
                .description(description)
                .tags(common.and(tags))
                .register(registry));
    }

    Timer timer(String name, String description, String... tags) {
        return added(Timer.builder(name)
                .description(description)
                .tags(common.and(tags))
                .register(registry));
    }

    DistributionSummary summary(String name, String unit, String description, String... tags) {
        return added(DistributionSummary.builder(name)
                .baseUnit(unit)
                .description(description)
                .tags(common.and(tags))
                .register(registry));
    }

    /**
     * A registry answers a second registration of a gauge with the first one, which then goes on showing what the first
     * one shows. Counters would add up, gauges do not: so this is refused.
     */
    TimeGauge onlyGauge(String name, String description, Supplier<Number> seconds) {
        Set<Meter> before = new HashSet<>(registry.getMeters());
        // A gauge over a supplier is held strongly by the registry: it lives until it is removed.
        TimeGauge gauge = TimeGauge.builder(name, seconds, TimeUnit.SECONDS)
                .description(description)
                .tags(common)
                .register(registry);
        if (before.contains(gauge)) {
            throw new IllegalArgumentException("this registry already has " + name + " with the tags "
                    + common.stream().toList() + ": share one TransactionMetrics, close the other one first, or give"
                    + " each a tag of its own");
        }
        return added(gauge);
    }

    void remove() {
        meters.forEach(registry::remove);
    }

    private <M extends Meter> M added(M meter) {
        meters.add(meter);
        return meter;
    }
}
