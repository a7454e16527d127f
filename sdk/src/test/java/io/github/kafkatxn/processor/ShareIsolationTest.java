package io.github.kafkatxn.processor;

import static io.github.kafkatxn.processor.Polls.A;
import static io.github.kafkatxn.processor.Polls.B;
import static io.github.kafkatxn.processor.Polls.all;
import static io.github.kafkatxn.processor.Polls.names;
import static io.github.kafkatxn.processor.Polls.range;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShareIsolationTest {
    private static final int ATTEMPTS = 3;
    private static final int DELIVERIES = 4;
    private static final TxnError WHY =
            ErrorClassifier.classify(Operation.TRANSFORM, new IllegalStateException("poison"), Condition.USABLE);

    private final ShareIsolation isolation = new ShareIsolation(ATTEMPTS, DELIVERIES, true);

    @Test
    void withoutTroubleABatchIsWhatThereIsUpToItsLimit() {
        List<ConsumerRecord<byte[], byte[]>> held = all(range(A, 0, 2), range(B, 5, 6));

        assertThat(names(isolation.next(held, 10).records())).containsExactly("0@0", "0@1", "0@2", "1@5", "1@6");
        assertThat(names(isolation.next(held, 4).records())).containsExactly("0@0", "0@1", "0@2", "1@5");
        assertThat(isolation.next(held, 4).careful()).isFalse();
    }

    @Test
    void aRecordThatHasFailedIsTriedAloneWhenTheOthersAreDone() {
        List<ConsumerRecord<byte[], byte[]>> held = range(A, 0, 3);
        isolation.blame(held.get(1), WHY);

        assertThat(names(isolation.next(held, 10).records())).containsExactly("0@0", "0@2", "0@3");
        Batch alone = isolation.next(held.subList(1, 2), 10);
        assertThat(names(alone.records())).containsExactly("0@1");
        assertThat(alone.careful()).isTrue();
        assertThat(alone.deadLetter()).isNull();
        assertThat(isolation.attempts(held.get(1))).isEqualTo(1);
    }

    @Test
    void afterEnoughAttemptsItIsADeadLetter() {
        List<ConsumerRecord<byte[], byte[]>> held = range(A, 0, 0);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            assertThat(isolation.next(held, 10).deadLetter()).isNull();
            isolation.blame(held.get(0), WHY);
        }

        assertThat(isolation.next(held, 10).deadLetter()).isEqualTo(WHY);
    }

    @Test
    void aBatchOfWhichSomeRecordHasFailedIsHalvedUntilItStandsAlone() {
        List<ConsumerRecord<byte[], byte[]>> held = range(A, 0, 7);
        isolation.blame(isolation.next(held, 10), WHY);
        Batch half = isolation.next(held, 10);
        assertThat(names(half.records())).containsExactly("0@0", "0@1", "0@2", "0@3");
        isolation.blame(half, WHY);
        Batch quarter = isolation.next(held, 10);
        assertThat(quarter.records()).hasSize(2);
        isolation.blame(quarter, WHY);
        Batch one = isolation.next(quarter.records(), 10);
        assertThat(one.records()).hasSize(1);
        isolation.blame(one, WHY);

        assertThat(isolation.attempts(one.records().get(0))).isEqualTo(1);
    }

    @Test
    void whatMayHaveFailedIsTriedAgainCarefully() {
        List<ConsumerRecord<byte[], byte[]>> held = range(A, 0, 3);
        isolation.watch(isolation.next(held, 10));

        Batch again = isolation.next(held, 10);
        assertThat(again.careful()).isTrue();
        assertThat(again.records()).hasSize(4);
    }

    @Test
    void whatTheLaneDoesNotHaveAnyMoreIsForgotten() {
        List<ConsumerRecord<byte[], byte[]>> held = range(A, 0, 0);
        isolation.blame(held.get(0), WHY);
        isolation.forget(RecordId.of(held.get(0)));

        assertThat(isolation.attempts(held.get(0))).isZero();
    }

    /** From delivery to delivery another end: two that kill their workers leave only what is between them. */
    @ParameterizedTest
    @CsvSource({"1, 0@0 0@1 0@2", "2, 0@0 0@1 0@2", "3, 0@0"})
    void whatWasDeliveredOftenIsTriedAlone(short deliveries, String expected) {
        Batch batch = isolation.next(delivered(deliveries, 0, 2), 10);

        assertThat(String.join(" ", names(batch.records()))).isEqualTo(expected);
        assertThat(batch.deadLetter()).isNull();
    }

    @Test
    void whatWasDeliveredTooOftenIsADeadLetterIfThereIsAPlaceForIt() {
        Batch batch = isolation.next(delivered((short) DELIVERIES, 0, 2), 10);
        assertThat(names(batch.records()))
                .as("of an even delivery the last one")
                .containsExactly("0@2");
        assertThat(batch.deadLetter()).isNotNull();

        Batch tried = new ShareIsolation(ATTEMPTS, DELIVERIES, false).next(delivered((short) DELIVERIES, 0, 2), 10);
        assertThat(tried.deadLetter()).isNull();
    }

    static LongStream seeds() {
        return LongStream.generate(System::nanoTime).limit(200);
    }

    /**
     * Whatever is at fault and however it shows: all else is committed once, and it is a dead letter after its tries.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyPoisonIsFoundAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, ConsumerRecord<byte[], byte[]>> held = new LinkedHashMap<>();
        range(A, 0, random.nextInt(60)).forEach(record -> held.put(Polls.name(record), record));
        Set<String> poison = new TreeSet<>();
        held.keySet().stream().filter(name -> random.nextInt(10) == 0).forEach(poison::add);
        Set<String> deadLetters = new TreeSet<>();
        Map<String, Integer> aloneTries = new HashMap<>();
        int most = random.nextInt(1, 20);
        int steps = 0;

        while (!held.isEmpty()) {
            assertThat(steps++).as("steps").isLessThan(3_000);
            Batch batch = isolation.next(held.values(), most);
            List<String> names = names(batch.records());
            assertThat(names).isNotEmpty().hasSizeLessThanOrEqualTo(most);
            Optional<String> bad = names.stream().filter(poison::contains).findFirst();
            if (batch.deadLetter() != null) {
                deadLetters.addAll(names);
            } else if (bad.isPresent()) {
                if (names.size() == 1) {
                    aloneTries.merge(names.get(0), 1, Integer::sum);
                }
                fail(batch, Objects.requireNonNull(held.get(bad.get())), random);
                continue;
            } else if (random.nextInt(10) == 0) {
                // Brokers away: nobody's fault.
                continue;
            }
            new ArrayList<>(batch.records()).forEach(record -> {
                held.remove(Polls.name(record));
                isolation.forget(RecordId.of(record));
            });
        }

        assertThat(deadLetters).isEqualTo(poison);
        // One of them may have been without a verdict.
        assertThat(aloneTries.values()).allMatch(tries -> tries <= ATTEMPTS + 1);
    }

    private void fail(Batch batch, ConsumerRecord<byte[], byte[]> culprit, SplittableRandom random) {
        int how = batch.careful() ? 0 : random.nextInt(3);
        if (how == 0) {
            isolation.blame(culprit, WHY);
        } else if (how == 1) {
            isolation.blame(batch, WHY);
        } else {
            isolation.watch(batch);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> delivered(short deliveries, long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(offset -> Polls.delivered(A, offset, deliveries))
                .toList();
    }
}
