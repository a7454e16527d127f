package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.processor.ProcessorSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator that takes its time: nothing is lost or doubled by it, and no record is at fault. */
class SlowCoordinatorTest extends ProcessorContract {
    @AutoClose
    private final ReferenceClusterTarget target = ReferenceClusterTarget.start(2);

    @Override
    protected KafkaTarget target() {
        return target;
    }

    @Test
    void aRecordThatTakesHalfOfTheTimeIsNotDeadLettered() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 1);
        ProcessorEvents events = new ProcessorEvents();
        FaultRule unanswered =
                target.cluster().faults().on(ApiKeys.END_TXN).everyTime().dropBeforeHandling();
        ProcessorSettings.Builder settings =
                settings(pipe, Protocol.CONSUMER, events).maxAttempts(1);
        settings.producer().transactionTimeout(Duration.ofSeconds(2)).callTimeout(Duration.ofSeconds(2));
        CountDownLatch never = new CountDownLatch(1);

        start(settings, (record, outputs) -> {
            never.await(1_200, TimeUnit.MILLISECONDS);
            outputs.send(pipe.out(), record.key(), record.value());
        });
        unanswered.awaitHit();
        eventually("a rebuilt producer").until(() -> !events.rebuilt().isEmpty());
        unanswered.remove();

        assertExactlyOnce(pipe);
        assertThat(events.doubts()).isNotEmpty();
        assertThat(events.deadLetters()).isEmpty();
    }

    /** C01 (c): the answer comes while the commit is repeated, which sends nothing. */
    @Test
    void aCommitThatIsRepeatedIsSentOnce() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        FaultRule late = target.cluster().faults().on(ApiKeys.END_TXN).holdAnswer();
        ProcessorSettings.Builder settings = settings(pipe, Protocol.CONSUMER, events);
        settings.producer().callTimeout(Duration.ofSeconds(2));
        start(settings, pipe.copy());
        feed(pipe, 0, 1);
        late.awaitHit();
        eventually("a commit in doubt").until(() -> !events.doubts().isEmpty());
        late.release();

        eventually("the repeated commit").until(() -> !events.settlements().isEmpty());
        assertThat(events.settlements()).containsExactly(Settlement.REPEATED);
        assertExactlyOnce(pipe);
        assertThat(target.cluster()
                        .requests()
                        .on(ApiKeys.END_TXN)
                        .transactionalId(pipe.group() + "-0-0-0")
                        .count())
                .isOne();
    }

    /** C23 (c): the dead letter is committed, nobody hears of it, and it is not written again. */
    @Test
    void aDeadLetterInDoubtIsThereOnce() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        FaultRule unanswered =
                target.cluster().faults().on(ApiKeys.END_TXN).everyTime().dropAfterHandling();
        ProcessorSettings.Builder settings =
                settings(pipe, Protocol.CONSUMER, events).maxAttempts(1);
        settings.producer().transactionTimeout(Duration.ofSeconds(2)).callTimeout(Duration.ofSeconds(2));
        feed(pipe, 0, 1);
        start(settings, (record, outputs) -> {
            throw new IllegalStateException("poison");
        });
        eventually("how it was settled").until(() -> !events.settlements().isEmpty());
        unanswered.remove();

        awaitLagZero(pipe);
        assertThat(events.settlements()).containsExactly(Settlement.COMMITTED);
        assertThat(events.deadLetters()).hasSize(1);
        assertThat(probe().committedValues(pipe.dead())).containsExactlyElementsOf(pipe.fed());
        assertThat(probe().committedValues(pipe.out())).isEmpty();
    }

    /** C31: a member is in commit for longer than the group waits, and another one takes its partition. */
    @ParameterizedTest(name = "the commit arrives: {0}")
    @ValueSource(booleans = {true, false})
    void aMemberIsThrownOutWhileItsCommitIsInDoubt(boolean arrives) {
        Pipe pipe = pipe(1);
        String id = pipe.group() + "-a-0-0";
        Fault end = target.cluster()
                .faults()
                .on(ApiKeys.END_TXN)
                .transactionalId(id)
                .everyTime();
        FaultRule commit = arrives ? end.dropAfterHandling() : end.dropBeforeHandling();
        ProcessorEvents events = new ProcessorEvents();
        start(evictedSoon(pipe, "a").listener(events).transactionListener(events), pipe.copy());
        feed(pipe, 0, 5);
        commit.awaitHit();
        FaultRule rebuild = target.cluster()
                .faults()
                .on(ApiKeys.INIT_PRODUCER_ID)
                .transactionalId(id)
                .everyTime()
                .hold();
        rebuild.awaitHit();
        eventually("the member to be thrown out").until(() -> probe().members(pipe.group()) == 0);
        start(evictedSoon(pipe, "b"), pipe.copy());
        feed(pipe, 0, 5);
        awaitLagZero(pipe);
        commit.remove();
        rebuild.remove();

        assertExactlyOnce(pipe);
        eventually("the rebuilt producer").until(() -> !events.rebuilt().isEmpty());
        feed(pipe, 0, 5);
        assertExactlyOnce(pipe);
        assertThat(events.settlements()).as("nobody can tell").isEmpty();
    }

    private ProcessorSettings.Builder evictedSoon(Pipe pipe, String instance) {
        ProcessorSettings.Builder settings =
                settings(pipe, Protocol.CONSUMER).instance(instance).consumerProperty("max.poll.interval.ms", 3_000);
        settings.producer().transactionTimeout(Duration.ofSeconds(2)).callTimeout(Duration.ofSeconds(2));
        return settings;
    }
}
