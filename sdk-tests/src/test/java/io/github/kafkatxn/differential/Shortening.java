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

    /** The same difference, or another one on the way to it, after fewer steps. */
    Difference shorten(Difference found) throws IOException {
        Difference shortest = again(withoutViews(found.steps())).orElse(found);
        for (int size = found.steps().size() / 2; size > 0; size /= 2) {
            int from = 0;
            while (from < shortest.steps().size() - 1 && System.nanoTime() < end) {
                Optional<Difference> shorter = again(without(shortest.steps(), from, size));
                if (shorter.isPresent()) {
                    shortest = shorter.get();
                } else {
                    from += size;
                }
            }
        }
        return shortest;
    }

    private static List<Step> withoutViews(List<Step> steps) {
        int last = steps.size() - 1;
        List<Step> rest = new ArrayList<>(steps.subList(0, last));
        rest.removeIf(step -> VIEWS.contains(step.verb().name()) && !step.has("settled"));
        rest.add(steps.get(last));
        return rest;
    }

    /** The last step stays. */
    private static List<Step> without(List<Step> steps, int from, int size) {
        List<Step> rest = new ArrayList<>(steps);
        rest.subList(from, Math.min(from + size, steps.size() - 1)).clear();
        return rest;
    }

    private Optional<Difference> again(List<Step> steps) throws IOException {
        try (SideBySide.Walk walk = both.walk(PATIENCE)) {
            for (Step step : steps) {
                Optional<Difference> difference = walk.take(step);
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
    }
}
