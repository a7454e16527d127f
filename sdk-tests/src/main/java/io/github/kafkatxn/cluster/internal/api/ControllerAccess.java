package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import java.util.function.Consumer;
import java.util.function.Function;

/** A node's way to the controller, which has a thread of its own. */
public interface ControllerAccess {

    /**
     * Lets the controller do something, then goes on here. The image that came of it has reached this node by then.
     *
     * @param decide runs on the controller's thread, does not wait
     * @param then gets its result on the node's thread
     * @param <T> the result
     */
    <T> void submit(Function<Controller, T> decide, Consumer<T> then);
}
