package io.github.kafkatxn.cluster.fault;

import java.util.List;

/** A question to the log. Asks anew each time. Belongs to one thread. */
public interface RequestQuery extends Selection<RequestQuery> {

    /**
     * Those only that have been answered.
     *
     * @return this
     */
    RequestQuery answered();

    /** {@return the requests in the log that are selected, in the order they came} */
    List<LoggedRequest> list();

    /** {@return how many requests in the log are selected} */
    int count();

    /**
     * Waits for one, 10 seconds at most; an {@link AssertionError} tells if there is none.
     *
     * @return the first that is selected
     */
    LoggedRequest await();

    /**
     * Waits for several, 10 seconds at most; an {@link AssertionError} tells what there is if there are fewer.
     *
     * @param count how many, 1 or more
     * @return all that are selected
     */
    List<LoggedRequest> await(int count);
}
