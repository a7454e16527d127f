package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static io.github.kafkatxn.contract.ClusterProbe.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Members come and go, at any moment of a batch: what a member has lost it does not commit, and what it still has it
 * does. Scenarios C12, C14, C15, C31.
 */
public abstract class ProcessorRebalanceContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorRebalanceContract() {}

    /** C14: thrown out in the middle of a batch, which another member does meanwhile. */
    @ParameterizedTest
    @EnumSource
    void theBatchOfAMemberThatWasThrownOutIsNotCommitted(Protocol protocol) {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);
        // So that it cannot come back before its batch is over.
        ProcessorSettings.Builder settings =
                impatientGroup(pipe, protocol, events).instance("a");

        ExactlyOnceProcessor first = start(settings, (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 5 && inTheMiddle.getCount() == 1) {
                inTheMiddle.countDown();
                hold(overtaken);
            }
        });
        await(inTheMiddle);
        eventually("the member to be thrown out").until(() -> probe().members(pipe.group()) == 0);
        ExactlyOnceProcessor second = start(settings(pipe, protocol).instance("b"), pipe.copy());
        awaitLagZero(pipe);
        overtaken.countDown();

        feed(pipe, 0, 10);
        assertExactlyOnce(pipe);
        eventually("a rewind of the first one").until(() -> !events.rewinds().isEmpty());
        assertThat(first.stopReason()).isEmpty();
        assertThat(second.stopReason()).isEmpty();
    }

    /** C14: removed by an administrator, long before its transaction or its patience ends. */
    @Test
    void theBatchOfAMemberThatWasRemovedIsNotCommitted() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);

        start(settings(pipe, Protocol.CLASSIC, events).instance("a"), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 5 && inTheMiddle.getCount() == 1) {
                inTheMiddle.countDown();
                hold(overtaken);
            }
        });
        await(inTheMiddle);
        get(probe().admin()
                .removeMembersFromConsumerGroup(pipe.group(), new RemoveMembersFromConsumerGroupOptions())
                .all());
        start(settings(pipe, Protocol.CLASSIC).instance("b"), pipe.copy());
        awaitLagZero(pipe);
        overtaken.countDown();

        feed(pipe, 0, 10);
        assertExactlyOnce(pipe);
        eventually("a rewind of the first one").until(() -> !events.rewinds().isEmpty());
        assertThat(events.rewinds())
                .first()
                .satisfies(rewind -> assertThat(rewind.error().operation()).isEqualTo(Operation.SEND_OFFSETS));
    }

    /** C15: a rebalance that leaves the batch's partitions where they are changes nothing. */
    @ParameterizedTest
    @EnumSource
    void aBatchOutlivesARebalanceThatDoesNotConcernIt(Protocol protocol) {
        assumeTrue(
                protocol == Protocol.CLASSIC || target().knowsAssignmentEpochs(),
                "before Apache Kafka 4.3 every rebalance concerns it: a commit needs the present epoch");
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch rebalanced = new CountDownLatch(1);

        start(settings(pipe, protocol, events).instance("a"), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 5) {
                inTheMiddle.countDown();
                hold(rebalanced);
            }
        });
        await(inTheMiddle);
        start(settings(pipe, protocol).instance("b"), pipe.copy());
        eventually("two members, as far as they can be").until(() -> hasTwoMembers(pipe, protocol));
        rebalanced.countDown();

        assertExactlyOnce(pipe);
        assertThat(events.rewinds()).isEmpty();
    }

    /** C31: a record that costs the membership each time it is tried is found and dead-lettered. */
    @ParameterizedTest
    @EnumSource
    void aTransformThatAlwaysTakesLongerThanThePollInterval(Protocol protocol) {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        AtomicInteger attempts = new AtomicInteger();

        ExactlyOnceProcessor processor =
                start(impatientGroup(pipe, protocol, new ProcessorEvents()).maxAttempts(2), (record, outputs) -> {
                    outputs.send(pipe.out(), record.key(), record.value());
                    if (record.offset() == 4) {
                        attempts.incrementAndGet();
                        eventually("to be thrown out").until(() -> probe().members(pipe.group()) == 0);
                    }
                });

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).containsExactly("0:0004");
        assertThat(attempts).hasValue(2);
        assertThat(processor.stopReason()).isEmpty();
    }

    /** C31: the brokers are silent while one member commits and another one joins. */
    @ParameterizedTest
    @EnumSource
    void aMemberJoinsWhileACommitHangs(Protocol protocol) {
        Pipe pipe = pipe();
        feed(pipe, 0, 50);
        feed(pipe, 1, 50);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);
        ProcessorEvents events = new ProcessorEvents();

        start(settings(pipe, protocol, events).instance("a"), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 25) {
                inTheMiddle.countDown();
                hold(away);
            }
        });
        await(inTheMiddle);
        ExactlyOnceProcessor second = create(settings(pipe, protocol).instance("b"), pipe.copy());
        whileBrokersAreAway(() -> {
            away.countDown();
            second.start();
            eventually("an unanswered call").until(() -> !events.retries().isEmpty());
        });

        assertExactlyOnce(pipe);
        assertThat(second.stopReason()).isEmpty();
    }

    /** Rolling restarts, of instances with several lanes, while input keeps coming. */
    @ParameterizedTest
    @EnumSource
    void instancesComeAndGo(Protocol protocol) {
        Pipe pipe = pipe(6);
        List<ExactlyOnceProcessor> running = new CopyOnWriteArrayList<>();
        for (int round = 0; round < 6; round++) {
            running.add(start(
                    settings(pipe, protocol)
                            .instance(Integer.toString(round % 3))
                            .concurrency(2),
                    pipe.copy()));
            for (int i = 0; i < pipe.partitions(); i++) {
                feed(pipe, i, 40);
            }
            if (running.size() == 3) {
                running.remove(0).close();
            }
        }
        assertExactlyOnce(pipe);
        assertThat(running).allMatch(processor -> processor.stopReason().isEmpty());
    }

    /** C12: one of the two says so, and the other one goes on. */
    @ParameterizedTest
    @EnumSource
    void twoMembersOfOneInstanceId(Protocol protocol) {
        Pipe pipe = pipe();
        List<ExactlyOnceProcessor> both = new CopyOnWriteArrayList<>();
        for (String instance : List.of("a", "b")) {
            both.add(start(
                    settings(pipe, protocol).instance(instance).consumerProperty("group.instance.id", "one-name"),
                    pipe.copy()));
            feed(pipe, 0, 5);
        }
        eventually("the end of one of them").until(() -> {
            feed(pipe, 0, 1);
            return both.stream().anyMatch(processor -> processor.stopReason().isPresent());
        });

        List<StopReason> reasons = both.stream()
                .map(ExactlyOnceProcessor::stopReason)
                .flatMap(Optional::stream)
                .toList();
        assertThat(reasons).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(Kind.DUPLICATE_INSTANCE);
            assertThat(reason.message()).contains("group.instance.id");
        });
        feed(pipe, 1, 5);
        assertExactlyOnce(pipe);
    }

    /** C12: in the middle of a batch, which is aborted. */
    @Test
    void aMemberIsReplacedInTheMiddleOfABatch() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        AtomicBoolean once = new AtomicBoolean();

        ExactlyOnceProcessor first = start(
                settings(pipe, Protocol.CLASSIC).instance("a").consumerProperty("group.instance.id", "one-name"),
                (record, outputs) -> {
                    outputs.send(pipe.out(), record.key(), record.value());
                    if (record.offset() == 5 && once.compareAndSet(false, true)) {
                        inTheMiddle.countDown();
                        hold(replaced);
                    }
                });
        await(inTheMiddle);
        start(
                settings(pipe, Protocol.CLASSIC).instance("b").consumerProperty("group.instance.id", "one-name"),
                pipe.copy());
        awaitLagZero(pipe);
        replaced.countDown();

        assertThat(awaitStop(first).kind()).isEqualTo(Kind.DUPLICATE_INSTANCE);
        assertExactlyOnce(pipe);
    }

    /** Three seconds without a poll cost the membership; a transaction lives as long. */
    private ProcessorSettings.Builder impatientGroup(Pipe pipe, Protocol protocol, ProcessorEvents events) {
        ProcessorSettings.Builder settings = settings(pipe, protocol, events)
                .consumerProperty("max.poll.interval.ms", 3_000)
                .producerProperty("delivery.timeout.ms", 2_500)
                .producerProperty("request.timeout.ms", 2_000);
        settings.producer().transactionTimeout(Duration.ofSeconds(3)).callTimeout(Duration.ofSeconds(3));
        return settings;
    }

    private boolean hasTwoMembers(Pipe pipe, Protocol protocol) {
        ConsumerGroupDescription group = probe().describe(pipe.group());
        if (protocol == Protocol.CLASSIC) {
            // The batch holds up the join of the one that has it; the other one is counted already.
            return group.members().size() == 2;
        }
        Optional<Integer> epoch = group.groupEpoch();
        Stream<Optional<Integer>> epochs = group.members().stream().map(MemberDescription::memberEpoch);
        return group.members().size() == 2 && epochs.allMatch(epoch::equals);
    }
}
