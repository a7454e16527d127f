package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ProcessorSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A coordinator that takes its time makes transactions late, and no record is at fault for that. */
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
}
