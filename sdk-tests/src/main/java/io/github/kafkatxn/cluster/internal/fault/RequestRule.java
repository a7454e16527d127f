package io.github.kafkatxn.cluster.internal.fault;

import java.util.function.Consumer;

/** A rule for requests. */
final class RequestRule extends Rule {
    private final Criteria criteria;
    private final boolean observes;
    private final Verb verb;

    /** What happens to a request that met a rule; runs on the node's thread. */
    @FunctionalInterface
    interface Verb {
        void act(Flow flow, Rule rule);
    }

    /** A rule that does something. */
    RequestRule(Criteria criteria, Trigger trigger, String what, Verb verb, Consumer<Rule> onRemove) {
        super(criteria + ", " + trigger + ": " + what, true, trigger, onRemove);
        this.criteria = criteria;
        this.observes = false;
        this.verb = verb;
    }

    /** A rule that only observes. */
    RequestRule(Criteria criteria, Trigger trigger, Consumer<Rule> onRemove) {
        super(criteria + ", " + trigger + ": observe", false, trigger, onRemove);
        this.criteria = criteria;
        this.observes = true;
        this.verb = (flow, rule) -> rule.hit();
    }

    Criteria criteria() {
        return criteria;
    }

    boolean observes() {
        return observes;
    }

    void act(Flow flow) {
        verb.act(flow, this);
    }
}
