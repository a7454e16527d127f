package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.txn.TransactionSteps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The rules between the steps of ending a transaction. Tests plan on their threads, coordinators ask on theirs. */
final class CoordinatorSteps {
    private final List<StepRule> rules = new CopyOnWriteArrayList<>();

    /** The steps that a rule can come before. */
    enum Step {
        MARKERS,
        COMPLETE
    }

    /** A transaction that is about to take a step. */
    record Ending(Step step, String transactionalId, boolean commit) {}

    /** What happens then. */
    @FunctionalInterface
    interface Verb {
        void act(Rule rule, EventLoop loop, Runnable goOn);
    }

    /** What the coordinator of one node asks. */
    TransactionSteps on(EventLoop loop) {
        return new TransactionSteps() {
            @Override
            public void beforeMarkers(String transactionalId, boolean commit, Runnable goOn) {
                before(new Ending(Step.MARKERS, transactionalId, commit), loop, goOn);
            }

            @Override
            public void beforeComplete(String transactionalId, boolean commit, Runnable goOn) {
                before(new Ending(Step.COMPLETE, transactionalId, commit), loop, goOn);
            }
        };
    }

    List<FaultRule> rules() {
        return List.copyOf(rules);
    }

    List<Rule> unused() {
        return rules.stream().filter(Rule::isUnused).map(rule -> (Rule) rule).toList();
    }

    Rule add(String description, Trigger trigger, Predicate<Ending> selects, Verb verb) {
        StepRule rule = new StepRule(description, trigger, selects, verb);
        rules.add(rule);
        return rule;
    }

    private void before(Ending ending, EventLoop loop, Runnable goOn) {
        for (StepRule rule : rules) {
            if (rule.selects.test(ending) && rule.takesTurn()) {
                rule.verb.act(rule, loop, goOn);
                return;
            }
        }
        goOn.run();
    }

    private final class StepRule extends Rule {
        private final Predicate<Ending> selects;
        private final Verb verb;

        StepRule(String description, Trigger trigger, Predicate<Ending> selects, Verb verb) {
            super(description, true, trigger, gone -> rules.removeIf(rule -> rule == gone));
            this.selects = selects;
            this.verb = verb;
        }
    }
}
