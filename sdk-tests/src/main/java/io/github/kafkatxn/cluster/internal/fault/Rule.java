package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.FaultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What all rules have: they count their hits, are waited for, hold things and let them go. Thread-safe. */
class Rule implements FaultRule {
    private final List<Held> held = new ArrayList<>();
    private final String description;
    private final boolean mustBeUsed;
    private final Trigger trigger;
    private final Consumer<Rule> onRemove;
    private int calls;
    private int hits;
    private boolean released;
    private boolean removed;

    private record Held(Executor loop, Runnable goOn) {}

    Rule(String description, boolean mustBeUsed, Trigger trigger, Consumer<Rule> onRemove) {
        this.description = description;
        this.mustBeUsed = mustBeUsed;
        this.trigger = trigger;
        this.onRemove = onRemove;
    }

    /** It selects what has come: is it its turn? */
    final synchronized boolean takesTurn() {
        return !removed && trigger.isTurnOf(++calls);
    }

    final synchronized void hit() {
        hits++;
        notifyAll();
    }

    /** Counts as a hit, and goes on once it is released; at once if it is. */
    final void hold(Executor loop, Runnable goOn) {
        boolean goes;
        synchronized (this) {
            goes = released || removed;
            if (!goes) {
                held.add(new Held(loop, goOn));
            }
            hit();
        }
        if (goes) {
            goOn.run();
        }
    }

    @Override
    public final synchronized int hits() {
        return hits;
    }

    @Override
    public final void awaitHit() {
        awaitHits(1);
    }

    @Override
    public final void awaitHits(int count) {
        Waiting.on(this, () -> hits >= count, () -> count + " hits of " + this);
    }

    @Override
    public final void release() {
        List<Held> gone;
        synchronized (this) {
            released = true;
            gone = List.copyOf(held);
            held.clear();
        }
        gone.forEach(one -> one.loop().execute(one.goOn()));
    }

    @Override
    public final void remove() {
        synchronized (this) {
            removed = true;
        }
        onRemove.accept(this);
        release();
    }

    final synchronized boolean isUnused() {
        return mustBeUsed && hits == 0;
    }

    final synchronized int calls() {
        return calls;
    }

    final String description() {
        return description;
    }

    @Override
    public synchronized String toString() {
        return description + " (selected " + calls + ", hits " + hits + (held.isEmpty() ? "" : ", holds " + held.size())
                + ")";
    }
}
