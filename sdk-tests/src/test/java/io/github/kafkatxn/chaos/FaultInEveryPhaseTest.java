package io.github.kafkatxn.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A broker is lost in the middle of each step of a transaction: the leader of an output partition, the transaction
 * coordinator, or one that stands still for longer than every timeout. Whoever does what the results say has every
 * input record in the committed output once.
 *
 * <p>One loss serves all phases: there is a copy for each, by hand and by the processor, and the broker goes when every
 * copy is in its own. What takes time is that the cluster notices, which they wait for together.
 *
 * <p>Under transaction version 2; {@code -Dchaos.transaction.version=1} runs all of it under the other one.
 */
class FaultInEveryPhaseTest {
    private static final int TRANSACTION_VERSION = Integer.getInteger("chaos.transaction.version", 2);
    private static final int RECORDS = 600;
    private static final int PER_TRANSACTION = 60;
    private static final int HIT = 4;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Map<String, Object> PRODUCER = Map.of(
            "transaction.timeout.ms", 15_000,
            "delivery.timeout.ms", 8_000,
            "request.timeout.ms", 2_000,
            "max.block.ms", 4_000);
    private static final List<Copy> COPIES = Stream.concat(
                    Stream.of(Phase.values()).map(phase -> new Copy(false, phase)),
                    Stream.of(Phase.SEND, Phase.COMMIT, Phase.ABORT).map(phase -> new Copy(true, phase)))
            .toList();

    private static ApacheKafka kafka;
    private static Topics topics;

    private final List<Runnable> repairs = new CopyOnWriteArrayList<>();

    /** Who copies, and where in a transaction it is when the broker is lost. */
    private record Copy(boolean byProcessor, Phase phase) {
        /** {@return the transactional id of what is hit} */
        String transactionalId(String id) {
            return byProcessor ? processor(id).inputTopics("any").build().transactionalId(0, 0) : id;
        }

        @Override
        public String toString() {
            return (byProcessor ? "processor " : "by hand ") + phase;
        }
    }

    private enum Fault {
        LEADER_KILLED,
        COORDINATOR_KILLED,
        COORDINATOR_PAUSED
    }

    @BeforeAll
    static void start() {
        kafka = ApacheKafka.builder()
                .brokers(3)
                .transactionVersion(TRANSACTION_VERSION)
                .heapMiB(384)
                .quickStart()
                .start();
        topics = new Topics(kafka);
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    @AfterEach
    void repair() {
        repairs.forEach(Runnable::run);
        repairs.clear();
    }

    @ParameterizedTest
    @EnumSource
    void everyInputIsCommittedOnce(Fault fault) {
        String output = topics.create("out");
        int broker = fault == Fault.LEADER_KILLED
                ? kafka.leader(output, 0)
                : kafka.transactionCoordinator(topics.newName("copy"));
        CommonLoss loss = new CommonLoss(COPIES.size(), LIMIT, () -> kafka.pause(broker), () -> lose(fault, broker));

        Map<Copy, CompletableFuture<Void>> runs = new HashMap<>();
        List<String> coordinated = new ArrayList<>();
        for (Copy copy : COPIES) {
            String id = fault == Fault.LEADER_KILLED ? topics.newName("copy") : coordinatedBy(broker, copy);
            coordinated.add(copy.transactionalId(id));
            Steps steps = loss.stepsOf(copy.toString(), copy.phase(), HIT);
            runs.put(
                    copy,
                    CompletableFuture.runAsync(
                            () -> copy(copy, id, output, steps), run -> new Thread(run, copy.toString()).start()));
        }
        runs.forEach((copy, run) ->
                assertThat(run).as("%s; hit: %s", copy, loss.hit()).succeedsWithin(LIMIT.multipliedBy(2)));

        assertThat(loss.hit().join())
                .as("in their phase when the broker was lost")
                .containsAll(needed(fault));
        if (fault == Fault.LEADER_KILLED) {
            assertThat(kafka.leader(output, 0)).as("another leads").isNotEqualTo(broker);
        } else {
            assertThat(coordinated)
                    .as("another coordinates")
                    .noneMatch(id -> kafka.transactionCoordinator(id) == broker);
        }
        requireAllOnce(output);

        // What comes back once the run is over must not bring anything back to life.
        repair();
        topics.awaitAllInSync(output);
        requireAllOnce(output);
    }

    private static void requireAllOnce(String output) {
        assertThat(topics.committedValues(output))
                .containsExactlyInAnyOrderElementsOf(
                        COPIES.stream().flatMap(FaultInEveryPhaseTest::values).toList());
    }

    /** Without its coordinator no call comes to its end; without a leader only the sending of records does not. */
    private static List<String> needed(Fault fault) {
        return COPIES.stream()
                .filter(copy -> fault != Fault.LEADER_KILLED || copy.phase() == Phase.SEND)
                .map(Copy::toString)
                .toList();
    }

    /** Copies input of its own, and is in its phase when the broker goes. */
    private static void copy(Copy copy, String id, String output, Steps steps) {
        String input = topics.create("in");
        topics.load(input, values(copy).toList());
        int abortOnce = copy.phase() == Phase.ABORT ? HIT : -1;
        if (copy.byProcessor()) {
            CopyByProcessor.run(processor(id).inputTopics(input), output, RECORDS, abortOnce, LIMIT, steps);
            return;
        }
        try (CopyByHand byHand = new CopyByHand(consumer(id), producer(id), input, output, LIMIT, steps)) {
            byHand.run(RECORDS, abortOnce);
        }
    }

    private static Stream<String> values(Copy copy) {
        return IntStream.range(0, RECORDS).mapToObj(i -> copy + "-" + i);
    }

    /** A name of a group and what its transactional ids are made of, such that this broker coordinates what is hit. */
    private static String coordinatedBy(int broker, Copy copy) {
        return Stream.generate(() -> topics.newName("copy"))
                .filter(id -> kafka.transactionCoordinator(copy.transactionalId(id)) == broker)
                .findFirst()
                .orElseThrow();
    }

    private void lose(Fault fault, int broker) {
        if (fault == Fault.COORDINATOR_PAUSED) {
            repairs.add(() -> kafka.resume(broker));
        } else {
            kafka.kill(broker);
            repairs.add(() -> kafka.restart(broker));
        }
    }

    private static ProcessorSettings.Builder processor(String id) {
        ProcessorSettings.Builder settings = ProcessorSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .groupId(id)
                .maxRecordsPerTransaction(PER_TRANSACTION)
                .consumerProperty("request.timeout.ms", 2_000)
                .consumerProperty("default.api.timeout.ms", 5_000);
        PRODUCER.forEach(settings::producerProperty);
        return settings;
    }

    private static ProducerSettings producer(String id) {
        ProducerSettings.Builder settings = ProducerSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .transactionalId(id)
                .callTimeout(Duration.ofSeconds(10));
        PRODUCER.forEach(settings::property);
        return settings.build();
    }

    private static Map<String, Object> consumer(String id) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", kafka.bootstrapServers());
        properties.put("group.id", id);
        properties.put("enable.auto.commit", false);
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", "read_committed");
        properties.put("max.poll.records", PER_TRANSACTION);
        properties.put("request.timeout.ms", 2_000);
        properties.put("default.api.timeout.ms", 5_000);
        return properties;
    }
}
