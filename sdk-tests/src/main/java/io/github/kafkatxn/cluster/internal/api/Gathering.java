package io.github.kafkatxn.cluster.internal.api;

/** Waits for several answers. Belongs to the node's thread. */
final class Gathering {
    private final Runnable done;
    private int open = 1;

    Gathering(Runnable done) {
        this.done = done;
    }

    /** One more is waited for. */
    void expect() {
        open++;
    }

    /** One has come; or, once, all that are waited for are known. */
    void arrived() {
        open--;
        if (open == 0) {
            done.run();
        }
    }
}
