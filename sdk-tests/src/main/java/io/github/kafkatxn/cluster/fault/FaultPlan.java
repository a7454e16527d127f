package io.github.kafkatxn.cluster.fault;

import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * What goes wrong in a cluster. Without a rule, nothing does. Thread-safe; what it hands out to plan a fault with
 * belongs to one thread.
 */
public interface FaultPlan {

    /**
     * Plans a fault for requests of an API key.
     *
     * @param key the API key
     * @return to be finished by what happens
     */
    Fault on(ApiKeys key);

    /**
     * Plans a fault for requests of an API key that kafka-clients has no name for.
     *
     * @param key the API key, one that the cluster knows
     * @return to be finished by what happens
     */
    Fault on(int key);

    /**
     * Plans a fault for requests of any API key. Selectors pass over the keys they cannot apply to.
     *
     * @return to be finished by what happens
     */
    Fault onAny();

    /**
     * Plans a fault between the steps of ending a transaction.
     *
     * @param transactionalId whose
     * @return to be finished by what happens
     */
    TransactionFault onTransaction(String transactionalId);

    /**
     * Cuts a node off: no request of a client or another node reaches it and none of its own reaches another; such
     * connections are closed. It goes on leading its partitions and coordinating, and talks to itself, as a node does
     * that does not know it is alone. {@link FaultRule#remove()} ends it.
     *
     * @param node its id
     * @return the rule; it has an effect whenever a request or an answer does not get through
     */
    FaultRule cutOff(int node);

    /** {@return the rules in force, in the order they were made} */
    List<FaultRule> rules();

    /** Removes all rules. */
    void clear();

    /**
     * An {@link AssertionError} names every rule in force that has never had an effect: the test does not test what it
     * says. Rules that only observe are left out. It also tells of a selector or a change given by the test that threw.
     */
    void verifyUsed();
}
