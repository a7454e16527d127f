package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.TransactionFault;
import io.github.kafkatxn.cluster.internal.fault.CoordinatorSteps.Step;
import io.github.kafkatxn.cluster.internal.fault.CoordinatorSteps.Verb;
import java.time.Duration;
import java.util.Locale;

/** Plans a fault between the steps of ending a transaction. */
final class TransactionFaultBuilder implements TransactionFault {
    private final CoordinatorSteps steps;
    private final String transactionalId;
    private Trigger trigger = Trigger.ONCE;
    private Ends ends = Ends.BOTH;

    private enum Ends {
        COMMIT,
        ABORT,
        BOTH;

        boolean includes(boolean commit) {
            return this == BOTH || commit == (this == COMMIT);
        }
    }

    TransactionFaultBuilder(CoordinatorSteps steps, String transactionalId) {
        this.steps = steps;
        this.transactionalId = transactionalId;
    }

    @Override
    public TransactionFault once() {
        return trigger(Trigger.ONCE);
    }

    @Override
    public TransactionFault times(int count) {
        return trigger(Trigger.times(count));
    }

    @Override
    public TransactionFault onCall(int number) {
        return trigger(Trigger.onCall(number));
    }

    @Override
    public TransactionFault everyTime() {
        return trigger(Trigger.EVERY_TIME);
    }

    @Override
    public TransactionFault committing() {
        ends = Ends.COMMIT;
        return this;
    }

    @Override
    public TransactionFault aborting() {
        ends = Ends.ABORT;
        return this;
    }

    @Override
    public FaultRule holdBeforeMarkers() {
        return rule(Step.MARKERS, "hold before the markers", Rule::hold);
    }

    @Override
    public FaultRule holdBeforeComplete() {
        return rule(Step.COMPLETE, "hold before COMPLETE", Rule::hold);
    }

    @Override
    public FaultRule delayBeforeMarkers(Duration delay) {
        return rule(Step.MARKERS, "delay the markers by " + delay, later(delay));
    }

    @Override
    public FaultRule delayBeforeComplete(Duration delay) {
        return rule(Step.COMPLETE, "delay COMPLETE by " + delay, later(delay));
    }

    private static Verb later(Duration delay) {
        long millis = FaultBuilder.millis(delay);
        return (rule, loop, goOn) -> {
            rule.hit();
            loop.afterRealTime(millis, goOn);
        };
    }

    private FaultRule rule(Step step, String what, Verb verb) {
        Ends which = ends;
        String ending = which == Ends.BOTH ? "" : ", on " + which.name().toLowerCase(Locale.ROOT);
        return steps.add(
                "transactional id " + transactionalId + ending + ", " + trigger + ": " + what,
                trigger,
                one -> one.step() == step
                        && one.transactionalId().equals(transactionalId)
                        && which.includes(one.commit()),
                verb);
    }

    private TransactionFault trigger(Trigger next) {
        trigger = next;
        return this;
    }
}
