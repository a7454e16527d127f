package io.github.kafkatxn.cluster.internal.fault;

/**
 * Whose turn it is, of the requests that a rule selects. Immutable.
 *
 * @param first the first, from 1
 * @param last the last
 */
record Trigger(int first, int last) {
    static final Trigger ONCE = new Trigger(1, 1);
    static final Trigger EVERY_TIME = new Trigger(1, Integer.MAX_VALUE);

    static Trigger times(int count) {
        return new Trigger(1, positive("times", count));
    }

    static Trigger onCall(int number) {
        return new Trigger(positive("onCall", number), number);
    }

    boolean isTurnOf(int call) {
        return call >= first && call <= last;
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + "(" + value + "): allowed is 1 or more");
        }
        return value;
    }

    @Override
    public String toString() {
        if (last == Integer.MAX_VALUE) {
            return "every time";
        }
        if (first == last) {
            return first == 1 ? "once" : "on call " + first;
        }
        return last + " times";
    }
}
