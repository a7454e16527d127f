package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * C19 where nobody tells the processor: an input topic is deleted and created again between two requests of the
 * consumer, and its offsets name records of the new topic that nobody has seen.
 */
class ExchangedInputTest {

    @Nested
    class OnTransactionVersion1 extends OnReferenceCluster {
        OnTransactionVersion1() {
            super(1);
        }
    }

    @Nested
    class OnTransactionVersion2 extends OnReferenceCluster {
        OnTransactionVersion2() {
            super(2);
        }
    }

    abstract static class OnReferenceCluster extends ProcessorContract {
        @AutoClose
        private final ReferenceClusterTarget target;

        OnReferenceCluster(int transactionVersion) {
            target = ReferenceClusterTarget.start(transactionVersion);
        }

        @Override
        protected KafkaTarget target() {
            return target;
        }

        /** The new topic has more records than the offset that was committed for the old one. */
        @ParameterizedTest
        @EnumSource
        void whileThereIsNothingToRead(Protocol protocol) {
            Pipe pipe = pipe(1);
            processAll(pipe, protocol);
            FaultRule read = reads(pipe);
            start(settings(pipe, protocol), pipe.copy());
            read.awaitHit();
            exchangeBetweenRequests(pipe, protocol);

            assertEveryNewRecordIsThere(pipe);
        }

        /** Until the cluster has said which topic it is, nothing is read from where the old one was left. */
        @ParameterizedTest
        @EnumSource
        void whileTheTopicIsNotDescribed(Protocol protocol) {
            Pipe pipe = pipe(1);
            processAll(pipe, protocol);
            FaultRule read = reads(pipe);
            FaultRule undescribed = startWithoutDescription(pipe, protocol);
            read.awaitHit();
            exchangeBetweenRequests(pipe, protocol);
            undescribed.awaitHits(undescribed.hits() + 1);
            undescribed.remove();

            assertEveryNewRecordIsThere(pipe);
        }

        /** Somebody who has not been told which topic it is goes on from what is committed all the same. */
        @ParameterizedTest
        @EnumSource
        void theSameTopicIsDescribedLate(Protocol protocol) {
            Pipe pipe = pipe(1);
            processAll(pipe, protocol);
            FaultRule undescribed = startWithoutDescription(pipe, protocol);
            feed(pipe, 0, 10);
            undescribed.awaitHits(undescribed.hits() + 2);
            undescribed.remove();

            assertExactlyOnce(pipe);
        }

        private void processAll(Pipe pipe, Protocol protocol) {
            feed(pipe, 0, 10);
            try (ExactlyOnceProcessor first = start(settings(pipe, protocol), pipe.copy())) {
                assertExactlyOnce(pipe);
                assertThat(first.stopReason()).isEmpty();
            }
        }

        private FaultRule reads(Pipe pipe) {
            return target.cluster().faults().on(ApiKeys.FETCH).topic(pipe.in()).observe();
        }

        /** Somebody who is told at the start that the topic is there, and not once it has its partition. */
        private FaultRule startWithoutDescription(Pipe pipe, Protocol protocol) {
            FaultRule joining = target.cluster()
                    .faults()
                    .on(protocol == Protocol.CLASSIC ? ApiKeys.JOIN_GROUP : ApiKeys.CONSUMER_GROUP_HEARTBEAT)
                    .group(pipe.group())
                    .hold();
            start(settings(pipe, protocol), pipe.copy());
            joining.awaitHit();
            FaultRule undescribed = target.cluster()
                    .faults()
                    .on(ApiKeys.DESCRIBE_TOPIC_PARTITIONS)
                    .topic(pipe.in())
                    .everyTime()
                    .answerWith(Errors.UNKNOWN_TOPIC_OR_PARTITION);
            joining.release();
            undescribed.awaitHit();
            return undescribed;
        }

        /** The consumer sees the old topic, and then the new one. */
        private void exchangeBetweenRequests(Pipe pipe, Protocol protocol) {
            FaultRule fetches = holdEvery(ApiKeys.FETCH);
            FaultRule heartbeats =
                    holdEvery(protocol == Protocol.CLASSIC ? ApiKeys.HEARTBEAT : ApiKeys.CONSUMER_GROUP_HEARTBEAT);
            probe().deleteTopic(pipe.in());
            probe().createTopic(pipe.in(), 1);
            List<String> values = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                values.add("0:n%04d".formatted(i));
            }
            append(pipe, 0, values);
            fetches.remove();
            heartbeats.remove();
        }

        private FaultRule holdEvery(ApiKeys key) {
            return target.cluster().faults().on(key).everyTime().hold();
        }

        private void assertEveryNewRecordIsThere(Pipe pipe) {
            eventually("every record of the new topic")
                    .untilAsserted(() ->
                            assertThat(probe().committedValues(pipe.out())).hasSizeGreaterThanOrEqualTo(25));
            awaitLagZero(pipe);
            assertThat(probe().committedValues(pipe.out())).containsExactlyElementsOf(pipe.fed());
        }
    }
}
