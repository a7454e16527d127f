package io.github.kafkatxn.cluster.internal.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** A loop whose time passes only when a test lets it. */
public final class SteppedLoop implements EventLoop {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Due> timers = new ArrayList<>();
    private long now = 1_000_000;

    private record Due(long at, Runnable task) {}

    @Override
    public long millis() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer after(long millis, Runnable task) {
        Due due = new Due(now + millis, task);
        timers.add(due);
        return () -> timers.remove(due);
    }

    @Override
    public Timer afterRealTime(long millis, Runnable task) {
        return after(millis, task);
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    /** Lets time pass, and runs in order what becomes due. */
    public void pass(long millis) {
        long end = now + millis;
        runTasks();
        for (Optional<Due> next = next(end); next.isPresent(); next = next(end)) {
            Due due = next.get();
            timers.remove(due);
            now = Math.max(now, due.at());
            due.task().run();
            runTasks();
        }
        now = end;
    }

    private Optional<Due> next(long end) {
        return timers.stream().filter(due -> due.at() <= end).min(Comparator.comparingLong(Due::at));
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
