package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Plans a fault for requests. */
final class FaultBuilder extends Selecting<Fault> implements Fault {
    private static final Set<Short> OF_THE_IMAGE = Set.of(
            ApiKeys.METADATA.id,
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS.id,
            ApiKeys.DESCRIBE_CLUSTER.id,
            ApiKeys.FIND_COORDINATOR.id);

    private final Faults plan;
    private Trigger trigger = Trigger.ONCE;

    FaultBuilder(Faults plan, Optional<MessageFormat> format, int nodes) {
        super(format, nodes);
        this.plan = plan;
    }

    @Override
    Fault self() {
        return this;
    }

    @Override
    public Fault once() {
        return trigger(Trigger.ONCE);
    }

    @Override
    public Fault times(int count) {
        return trigger(Trigger.times(count));
    }

    @Override
    public Fault onCall(int number) {
        return trigger(Trigger.onCall(number));
    }

    @Override
    public Fault everyTime() {
        return trigger(Trigger.EVERY_TIME);
    }

    @Override
    public FaultRule answerWith(Errors error) {
        if (error == Errors.NONE) {
            throw new IllegalArgumentException("NONE is no error");
        }
        Criteria selected = criteria();
        return rule("answer with " + error, (flow, rule) -> {
            rule.hit();
            PartialAnswers.answer(flow, selected, error);
        });
    }

    @Override
    public <A extends ApiMessage> FaultRule changeAnswer(Class<A> type, Consumer<? super A> change) {
        criteria()
                .format()
                .ifPresent(format ->
                        requireType(format.name(), format.newResponse().get(), type));
        return rule(
                "change the answer",
                (flow, rule) -> flow.handle(outcome -> {
                    rule.hit();
                    outcome.answer().filter(type::isInstance).ifPresent(answer -> change(type.cast(answer), change));
                    flow.finish(outcome);
                }));
    }

    @Override
    public FaultRule delay(Duration delay) {
        long millis = millis(delay);
        return rule("delay by " + delay, (flow, rule) -> {
            rule.hit();
            flow.exchange().loop().afterRealTime(millis, flow::pass);
        });
    }

    @Override
    public FaultRule delayAnswer(Duration delay) {
        long millis = millis(delay);
        return rule(
                "delay the answer by " + delay,
                (flow, rule) -> flow.handle(outcome -> {
                    rule.hit();
                    flow.exchange().loop().afterRealTime(millis, () -> flow.finish(outcome));
                }));
    }

    @Override
    public FaultRule hold() {
        return rule("hold", (flow, rule) -> rule.hold(flow.exchange().loop(), flow::pass));
    }

    @Override
    public FaultRule holdAnswer() {
        return rule(
                "hold the answer",
                (flow, rule) -> flow.handle(outcome -> rule.hold(flow.exchange().loop(), () -> flow.finish(outcome))));
    }

    @Override
    public FaultRule dropBeforeHandling() {
        return insteadOfHandling("drop before handling", Outcome.SILENCE);
    }

    @Override
    public FaultRule dropAfterHandling() {
        return insteadOfAnswer("drop after handling", Outcome.SILENCE);
    }

    @Override
    public FaultRule closeBeforeHandling() {
        return insteadOfHandling("close the connection before handling", Outcome.DISCONNECT);
    }

    @Override
    public FaultRule closeAfterHandling() {
        return insteadOfAnswer("close the connection after handling", Outcome.DISCONNECT);
    }

    @Override
    public FaultRule handleTwice() {
        return rule("handle twice", (flow, rule) -> {
            ApiMessage again = (ApiMessage) flow.exchange().request().body().duplicate();
            flow.handle(first -> {
                rule.hit();
                flow.handle(again, flow::finish);
            });
        });
    }

    @Override
    public FaultRule answerAsOfNow() {
        var unused = criteria()
                .format()
                .filter(format -> OF_THE_IMAGE.contains(format.key()))
                .orElseThrow(() -> {
                    String given = criteria().format().map(MessageFormat::name).orElse("any key");
                    return new IllegalArgumentException("answerAsOfNow is for Metadata, DescribeTopicPartitions,"
                            + " DescribeCluster and FindCoordinator, not for " + given);
                });
        ClusterImage image = plan.imageNow();
        return rule("answer as of image " + image.version(), (flow, rule) -> {
            rule.hit();
            Exchange exchange = flow.exchange();
            exchange.handle(exchange.request().body(), image, flow::finish);
        });
    }

    @Override
    public FaultRule observe() {
        return plan.add(new RequestRule(criteria(), trigger, plan::removed));
    }

    private FaultRule insteadOfHandling(String what, Outcome end) {
        return rule(what, (flow, rule) -> {
            rule.hit();
            flow.finish(end);
        });
    }

    private FaultRule insteadOfAnswer(String what, Outcome end) {
        return rule(
                what,
                (flow, rule) -> flow.handle(outcome -> {
                    rule.hit();
                    flow.finish(end);
                }));
    }

    private FaultRule rule(String what, RequestRule.Verb verb) {
        return plan.add(new RequestRule(criteria(), trigger, what, verb, plan::removed));
    }

    private Fault trigger(Trigger next) {
        trigger = next;
        return this;
    }

    private <A extends ApiMessage> void change(A answer, Consumer<? super A> change) {
        try {
            change.accept(answer);
        } catch (RuntimeException | AssertionError e) {
            plan.failed("a change of an answer", e);
        }
    }

    static long millis(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay of " + delay + ": allowed is 0 or more");
        }
        return delay.toMillis();
    }
}
