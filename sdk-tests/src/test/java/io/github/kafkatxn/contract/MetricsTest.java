package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.metrics.TransactionMetrics;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The meters of a processor at work say what has happened to it. */
class MetricsTest extends ProcessorContract {
    @AutoClose
    private final ReferenceClusterTarget target = ReferenceClusterTarget.start(2);

    @AutoClose
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Override
    protected KafkaTarget target() {
        return target;
    }

    @Test
    void aPoisonRecordAndACommitInDoubt() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        try (TransactionMetrics metrics = TransactionMetrics.create(registry)) {
            ProcessorSettings.Builder settings = settings(pipe, Protocol.CONSUMER, events)
                    .maxAttempts(2)
                    .listener(metrics)
                    .transactionListener(metrics);
            settings.producer().transactionTimeout(Duration.ofSeconds(3)).callTimeout(Duration.ofSeconds(2));
            try (ExactlyOnceProcessor processor = start(settings, (record, outputs) -> {
                if (record.value().equals("0:0002")) {
                    throw new IllegalStateException("poison");
                }
                outputs.send(pipe.out(), record.key(), record.value());
            })) {
                feed(pipe, 0, 5);
                assertExactlyOnce(pipe);
                FaultRule lost = target.cluster()
                        .faults()
                        .on(ApiKeys.END_TXN)
                        .everyTime()
                        .dropAfterHandling();
                feed(pipe, 0, 5);
                lost.awaitHit();
                eventually("how it was settled")
                        .until(() -> !events.settlements().isEmpty());
                lost.remove();
                assertExactlyOnce(pipe);
                assertThat(processor.stopReason()).isEmpty();
            }

            assertThat(count("kafka.txn.dead.letters")).isOne();
            assertThat(count("kafka.txn.processed")).isEqualTo(9);
            assertThat(count("kafka.txn.in.doubt")).isOne();
            assertThat(count("kafka.txn.in.doubt.settled", "settlement", "committed"))
                    .isOne();
            assertThat(count("kafka.txn.producers.rebuilt"))
                    .isEqualTo(events.rebuilt().size())
                    .isPositive();
            assertThat(count("kafka.txn.rewinds"))
                    .isEqualTo(events.rewinds().size())
                    .isPositive();
            assertThat(count("kafka.txn.retries")).isEqualTo(events.retries().size());
            assertThat(count("kafka.txn.offsets", "path", "topic_ids")).isPositive();
            for (Outcome outcome : Outcome.values()) {
                String tag = outcome.name().toLowerCase(Locale.ROOT);
                long ended = events.ends().stream().filter(outcome::equals).count();
                assertThat(count("kafka.txn.transactions", "outcome", tag))
                        .as(tag)
                        .isEqualTo(ended);
                assertThat(registry.get("kafka.txn.duration")
                                .tag("outcome", tag)
                                .timer()
                                .count())
                        .as(tag)
                        .isEqualTo(ended);
            }
            assertThat(registry.get("kafka.txn.open.age").timeGauge().value(TimeUnit.SECONDS))
                    .isZero();
        }
    }

    /** The sum over the tags that are not given. */
    private long count(String name, String... tags) {
        return (long) registry.get(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
