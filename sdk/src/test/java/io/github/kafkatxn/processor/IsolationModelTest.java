package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lane without clients, on random input: whatever fails how, each record is done once, and it comes to an end. */
class IsolationModelTest {
    private static final int WORLDS_PER_SEED = 100;
    private static final List<Poison> POISONS = List.of(Poison.KNOWN, Poison.UNKNOWN, Poison.SPLITTING);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRecordIsProcessedOnceOrDeadLetteredOnce(long seed) {
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < WORLDS_PER_SEED; i++) {
            World world = new World(seeds.split());
            String what = "seed " + seed + ", world " + i + ": " + world;
            world.run(what);
            world.verify(what);
        }
    }

    /** How a record makes transactions fail. */
    private enum Poison {
        NONE,
        /** The transform throws: the record is known. */
        KNOWN,
        /** The broker refuses an output: one of the batch, if they are not waited for one by one. */
        UNKNOWN,
        /** The client goes on splitting what the broker refuses; seen when outputs are waited for. */
        SPLITTING
    }

    private static final class World {
        private final SplittableRandom random;
        private final int maxAttempts;
        private final int maxPoll;

        /** The same records are polled again after each failure, of all partitions: what repeats itself is seen. */
        private final boolean steady;

        private final Isolation isolation;
        private final TxnError error = Polls.error("bad");

        /** The log: offset to poison, with gaps between the offsets. */
        private final Map<TopicPartition, NavigableMap<Long, Poison>> log = new LinkedHashMap<>();

        private final Map<TopicPartition, Long> positions = new HashMap<>();
        private final Map<TopicPartition, List<Long>> done = new HashMap<>();
        private final Map<TopicPartition, List<Long>> deadLettered = new HashMap<>();
        private final Map<String, Integer> failures = new HashMap<>();
        private int good;
        private int poisoned;
        private int outages;
        private int transactions;

        World(SplittableRandom random) {
            this.random = random;
            this.maxAttempts = random.nextInt(1, 4);
            this.maxPoll = random.nextInt(1, 60);
            this.steady = random.nextBoolean();
            this.isolation = new Isolation(maxAttempts);
            int percent = random.nextInt(0, 60);
            int partitions = random.nextInt(1, 5);
            for (int i = 0; i < partitions; i++) {
                TopicPartition partition = new TopicPartition("in", i);
                log.put(partition, someRecords(percent));
                positions.put(partition, 0L);
                done.put(partition, new ArrayList<>());
                deadLettered.put(partition, new ArrayList<>());
            }
        }

        private NavigableMap<Long, Poison> someRecords(int percentOfPoison) {
            NavigableMap<Long, Poison> records = new TreeMap<>();
            int count = random.nextInt(0, 40);
            long offset = 0;
            for (int i = 0; i < count; i++) {
                offset += random.nextInt(4) == 0 ? random.nextInt(1, 5) : 1;
                boolean bad = random.nextInt(100) < percentOfPoison;
                records.put(offset, bad ? POISONS.get(random.nextInt(POISONS.size())) : Poison.NONE);
                good += bad ? 0 : 1;
                poisoned += bad ? 1 : 0;
            }
            return records;
        }

        void run(String what) {
            // A failure halves what is left of its batch, or is an attempt; every other transaction is progress.
            int halvings = 32 - Integer.numberOfLeadingZeros(maxPoll * log.size());
            int enough = good + poisoned * (maxAttempts + halvings + 2) + 3;
            while (!isOver()) {
                assertThat(transactions - outages).as(what).isLessThanOrEqualTo(enough);
                ConsumerRecords<byte[], byte[]> polled = poll();
                if (polled.count() > 0) {
                    transactions++;
                    Batch batch = isolation.next(polled);
                    check(batch, what);
                    transact(batch, what);
                }
            }
        }

        private boolean isOver() {
            return log.keySet().stream().allMatch(partition -> ahead(partition).isEmpty());
        }

        private Map<Long, Poison> ahead(TopicPartition partition) {
            return of(log, partition).tailMap(of(positions, partition), true);
        }

        /** Some partitions, with some of their records each; positions move past gaps, as a consumer's do. */
        private ConsumerRecords<byte[], byte[]> poll() {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
            for (TopicPartition partition : log.keySet()) {
                int some = random.nextInt(4) == 0 ? 0 : random.nextInt(1, 1 + maxPoll);
                int count = steady ? maxPoll : Math.min(some, maxPoll - records.size());
                List<Long> offsets =
                        ahead(partition).keySet().stream().limit(count).toList();
                if (!offsets.isEmpty()) {
                    offsets.forEach(offset -> records.add(Polls.record(partition, offset)));
                    long behind = offsets.get(offsets.size() - 1) + 1;
                    Long following = of(log, partition).ceilingKey(behind);
                    long position = following == null || random.nextBoolean() ? behind : following;
                    next.put(partition, new OffsetAndMetadata(position));
                    positions.put(partition, position);
                }
            }
            return Polls.poll(records, next);
        }

        private void check(Batch batch, String what) {
            assertThat(batch.records()).as(what).isNotEmpty();
            assertThat(batch.start().keySet()).as(what).isEqualTo(batch.polled().partitions());
            Set<TopicPartition> goOn = new HashSet<>(batch.next().keySet());
            goOn.addAll(batch.resume().keySet());
            assertThat(goOn).as(what).isEqualTo(batch.polled().partitions());
            if (batch.deadLetter() != null) {
                ConsumerRecord<byte[], byte[]> record = batch.records().get(0);
                assertThat(batch.records()).as(what).hasSize(1);
                assertThat(isolation.attempts(record)).as(what).isGreaterThanOrEqualTo(maxAttempts);
                assertThat(failures.getOrDefault(Polls.name(record), 0))
                        .as("%s: failed attempts of %s", what, Polls.name(record))
                        .isGreaterThanOrEqualTo(maxAttempts);
            }
        }

        private void transact(Batch batch, String what) {
            if (!steady && random.nextInt(20) == 0) {
                outages++;
                goBack(batch);
                return;
            }
            if (batch.deadLetter() != null) {
                commit(batch, deadLettered, what);
                return;
            }
            int size = batch.records().size();
            int cut = !steady && random.nextInt(10) == 0 ? random.nextInt(1, size + 1) : size;
            Batch tried = cut < size ? batch.take(cut) : batch;
            Poison worst = Poison.NONE;
            for (ConsumerRecord<byte[], byte[]> record : tried.records()) {
                Poison poison = poison(record);
                if (poison == Poison.KNOWN || (poison != Poison.NONE && batch.careful())) {
                    failures.merge(Polls.name(record), 1, Integer::sum);
                    isolation.blame(record, error);
                    goBack(batch);
                    return;
                }
                worst = poison.compareTo(worst) > 0 ? poison : worst;
            }
            switch (worst) {
                case NONE -> commit(tried, done, what);
                case UNKNOWN -> {
                    if (tried.records().size() == 1) {
                        failures.merge(Polls.name(tried.records().get(0)), 1, Integer::sum);
                    }
                    isolation.blame(tried, error);
                    goBack(tried);
                }
                case SPLITTING -> {
                    isolation.watch(tried);
                    goBack(tried);
                }
                case KNOWN -> throw new AssertionError(what);
            }
        }

        private Poison poison(ConsumerRecord<byte[], byte[]> record) {
            return Objects.requireNonNull(of(log, Batch.partitionOf(record)).get(record.offset()));
        }

        private void goBack(Batch batch) {
            batch.start().forEach((partition, start) -> positions.put(partition, start.offset()));
        }

        private void commit(Batch batch, Map<TopicPartition, List<Long>> how, String what) {
            isolation.committed(batch);
            batch.resume().forEach((partition, position) -> positions.put(partition, position.offset()));
            batch.next()
                    .forEach((partition, next) -> assertThat(positions)
                            .as("%s: goes on from what is committed", what)
                            .containsEntry(partition, next.offset()));
            batch.records().forEach(record -> of(how, Batch.partitionOf(record)).add(record.offset()));
        }

        void verify(String what) {
            log.forEach((partition, records) -> {
                assertThat(of(done, partition))
                        .as("%s: processed of %s", what, partition)
                        .isEqualTo(offsets(records, false));
                assertThat(of(deadLettered, partition))
                        .as("%s: dead-lettered of %s", what, partition)
                        .isEqualTo(offsets(records, true));
            });
        }

        private static <V> V of(Map<TopicPartition, V> map, TopicPartition partition) {
            return Objects.requireNonNull(map.get(partition));
        }

        private static List<Long> offsets(Map<Long, Poison> records, boolean poisoned) {
            return records.keySet().stream()
                    .filter(offset -> (records.get(offset) != Poison.NONE) == poisoned)
                    .toList();
        }

        @Override
        public String toString() {
            return "maxAttempts=" + maxAttempts + ", maxPoll=" + maxPoll + ", steady=" + steady + ", log=" + log;
        }
    }
}
