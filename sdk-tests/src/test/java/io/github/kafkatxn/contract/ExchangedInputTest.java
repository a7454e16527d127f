package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
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

        /**
         * A broker that lags behind tells the id of another topic than the others, for a moment. Asked for after each
         * batch.
         */
        @Test
        void aBrokerThatLagsBehindDoesNotMakeItStartOver() {
            Pipe pipe = pipe(1);
            feed(pipe, 0, 10);
            start(settings(pipe, Protocol.CONSUMER), pipe.copy());
            assertExactlyOnce(pipe);
            FaultRule lagging = describedAs(pipe, Uuid.randomUuid(), 3);
            feed(pipe, 0, 10);
            lagging.awaitHits(3);

            assertExactlyOnce(pipe);
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
        final ReferenceClusterTarget target;

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

        /** What a lane hears first is wrong: it goes on from what is committed once it knows better. */
        @Test
        void aBrokerThatLagsBehindIsAskedFirst() {
            Pipe pipe = pipe(1);
            processAll(pipe, Protocol.CONSUMER);
            FaultRule lagging = describedAs(pipe, Uuid.randomUuid(), 1_000);
            ProcessorEvents events = new ProcessorEvents();
            start(settings(pipe, Protocol.CONSUMER, events), (record, outputs) -> {
                lagging.remove();
                outputs.send(pipe.out(), record.key(), record.value());
            });
            feed(pipe, 0, 10);

            assertExactlyOnce(pipe);
            assertThat(events.rewinds()).isNotEmpty();
        }

        /** What is known of a record that fails is not known of the one that has its offset in the new topic. */
        @ParameterizedTest
        @EnumSource
        void afterARecordHasFailed(Protocol protocol) {
            Pipe pipe = pipe(1);
            CountDownLatch exchanged = new CountDownLatch(1);
            CountDownLatch failed = new CountDownLatch(1);
            append(pipe, 0, List.of("bad"));
            pipe.fed().clear();
            start(settings(pipe, protocol).maxAttempts(1), (record, outputs) -> {
                if (record.value().equals("bad")) {
                    failed.countDown();
                    hold(exchanged);
                    throw new IllegalStateException("bad");
                }
                outputs.send(pipe.out(), record.key(), record.value());
            });
            await(failed);
            probe().deleteTopic(pipe.in());
            probe().createTopic(pipe.in(), 1);
            append(pipe, 0, List.of("0:good"));
            exchanged.countDown();

            assertExactlyOnce(pipe);
            assertThat(probe().committedValues(pipe.dead())).isEmpty();
        }

        FaultRule describedAs(Pipe pipe, Uuid id, int times) {
            return target.cluster()
                    .faults()
                    .on(ApiKeys.DESCRIBE_TOPIC_PARTITIONS)
                    .topic(pipe.in())
                    .times(times)
                    .changeAnswer(
                            DescribeTopicPartitionsResponseData.class,
                            answer -> answer.topics().forEach(topic -> topic.setTopicId(id)));
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
