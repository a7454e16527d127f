package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.Guarantee;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** All instances of the application. For one thread, but for {@link #tallies()}. */
final class Instances implements AutoCloseable, Iterable<InstanceProcess> {
    private final List<InstanceProcess> all = new ArrayList<>();

    /** The function makes an instance of its number, from 1. */
    Instances(int count, IntFunction<InstanceProcess> instance) {
        for (int number = 1; number <= count; number++) {
            all.add(instance.apply(number));
        }
    }

    InstanceProcess get(int index) {
        return all.get(index);
    }

    @Override
    public Iterator<InstanceProcess> iterator() {
        return all.iterator();
    }

    void start() {
        all.forEach(InstanceProcess::start);
    }

    /** Whether each works. */
    boolean work() {
        return all.stream().allMatch(instance -> instance.guarantee().isPresent());
    }

    /** The one that was given a record after that delivery. */
    Optional<InstanceProcess> whoHasAfter(Delivery delivery) {
        return all.stream().filter(instance -> instance.hasAfter(delivery)).findFirst();
    }

    /** What they promise together, once they work. */
    Guarantee guarantee() {
        boolean weak = all.stream().anyMatch(instance -> instance.guarantee().orElseThrow() == Guarantee.AT_LEAST_ONCE);
        return weak ? Guarantee.AT_LEAST_ONCE : Guarantee.EXACTLY_ONCE;
    }

    /** Asks all to stop, and waits until they have. */
    void stop() {
        all.forEach(InstanceProcess::stop);
        all.forEach(InstanceProcess::awaitStopped);
    }

    /** What each has counted, by its name. */
    Map<String, Tally> tallies() {
        Map<String, Tally> tallies = new LinkedHashMap<>();
        all.forEach(instance -> tallies.put(instance.toString(), instance.tally()));
        return tallies;
    }

    /** Kills those that still live. */
    @Override
    public void close() {
        JobFailure failure = null;
        for (InstanceProcess instance : all) {
            try {
                instance.close();
            } catch (JobFailure e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
