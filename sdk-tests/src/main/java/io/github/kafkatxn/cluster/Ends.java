package io.github.kafkatxn.cluster;

import java.util.List;

/** Ends many things: one that cannot be ended does not keep the others. */
final class Ends {
    private Ends() {}

    /** Throws the first failure once all have been tried, the others suppressed in it. */
    static void of(List<Runnable> ends) {
        RuntimeException failure = null;
        for (Runnable end : ends) {
            try {
                end.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
