package io.github.kafkatxn.differential;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Leaves out of a long sequence what a difference does not need, as far as there is time. */
final class Shortening {
    private static final Duration AT_MOST = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Set<String> VIEWS = Set.of("Describe", "Producers", "Offsets", "Fetch", "OffsetFetch");

    private final SideBySide both;
    private final long end = System.nanoTime() + AT_MOST.toNanos();

    Shortening(SideBySide both) {
        this.both = both;
    }

    /**
     * The same request answered differently, after fewer steps. What waits for markers stays with what they come from:
     * without it the two would only be quick at different times.
     */
    Difference shorten(Difference found) throws IOException {
        Step last = found.last();
        List<List<Step>> units = units(found.steps().subList(0, found.steps().size() - 1));
        Difference shortest = found;
        List<List<Step>> rest = new ArrayList<>(units);
        rest.removeIf(unit -> VIEWS.contains(unit.get(0).verb().name()));
        Optional<Difference> withoutViews = again(rest, last);
        if (withoutViews.isPresent()) {
            shortest = withoutViews.get();
            units = rest;
        }
        for (int size = (units.size() + 1) / 2; size > 0; size /= 2) {
            int from = 0;
            while (from < units.size() && System.nanoTime() < end) {
                rest = new ArrayList<>(units);
                rest.subList(from, Math.min(from + size, units.size())).clear();
                Optional<Difference> shorter = again(rest, last);
                if (shorter.isPresent()) {
                    shortest = shorter.get();
                    units = rest;
                } else {
                    from += size;
                }
            }
        }
        return shortest;
    }

    private static List<List<Step>> units(List<Step> steps) {
        List<List<Step>> units = new ArrayList<>();
        for (Step step : steps) {
            if (step.has("settled") && !units.isEmpty()) {
                units.get(units.size() - 1).add(step);
            } else {
                units.add(new ArrayList<>(List.of(step)));
            }
        }
        return units;
    }

    /** A difference at the last step; one before it is another. */
    private Optional<Difference> again(List<List<Step>> units, Step last) throws IOException {
        try (SideBySide.Walk walk = both.walk(PATIENCE)) {
            for (List<Step> unit : units) {
                for (Step step : unit) {
                    if (walk.take(step).isPresent()) {
                        return Optional.empty();
                    }
                }
            }
            return walk.take(last);
        }
    }
}
