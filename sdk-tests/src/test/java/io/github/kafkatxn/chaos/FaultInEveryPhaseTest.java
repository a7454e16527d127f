package io.github.kafkatxn.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * <p>One loss serves all phases: there is a copy for each, and the broker goes when every copy is in its own. What
 * takes time is that the cluster notices, which they wait for together.
 */
class FaultInEveryPhaseTest {
    private static final int RECORDS = 600;
    private static final int PER_TRANSACTION = 60;
    private static final int HIT = 4;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static ApacheKafka kafka;
    private static Topics topics;

    private final List<CompletableFuture<Void>> faults = new CopyOnWriteArrayList<>();
    private final List<Runnable> repairs = new CopyOnWriteArrayList<>();

    private enum Fault {
        LEADER_KILLED,
        COORDINATOR_KILLED,
        COORDINATOR_PAUSED
    }

    @BeforeAll
    static void start() {
        kafka = ApacheKafka.builder().brokers(3).heapMiB(384).quickStart().start();
        topics = new Topics(kafka);
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    /** Repaired once the run is over: what comes back then must not bring anything back to life. */
    @AfterEach
    void repair() {
        faults.forEach(CompletableFuture::join);
        repairs.forEach(Runnable::run);
    }

    @ParameterizedTest
    @EnumSource
    void everyInputIsCommittedOnce(Fault fault) {
        String output = topics.create("out");
        int broker = fault == Fault.LEADER_KILLED
                ? kafka.leader(output, 0)
                : kafka.transactionCoordinator(topics.newName("copy"));
        CyclicBarrier everyPhase = new CyclicBarrier(Phase.values().length, () -> hit(fault, broker));

        Map<Phase, CompletableFuture<Void>> copies = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            String id = fault == Fault.LEADER_KILLED ? topics.newName("copy") : coordinatedBy(broker);
            copies.put(
                    phase,
                    CompletableFuture.runAsync(
                            () -> copy(phase, id, output, everyPhase),
                            copy -> new Thread(copy, "copy " + phase).start()));
        }
        copies.forEach((phase, copy) -> assertThat(copy).as("lost in %s", phase).succeedsWithin(LIMIT.multipliedBy(2)));

        assertThat(faults).as("the fault happened").hasSize(1);
        assertThat(topics.committedValues(output))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Phase.values())
                        .flatMap(FaultInEveryPhaseTest::values)
                        .toList());
    }

    /** Copies input of its own, and is in its phase when the broker goes. */
    private static void copy(Phase phase, String id, String output, CyclicBarrier everyPhase) {
        String input = topics.create("in");
        topics.load(input, values(phase).toList());
        AtomicBoolean met = new AtomicBoolean();

        CopyByHand.Hook hook = (transaction, at) -> {
            if (transaction >= HIT && at == phase && met.compareAndSet(false, true)) {
                meet(everyPhase);
            }
        };
        try (CopyByHand copy = new CopyByHand(consumer(id), producer(id), input, output, LIMIT, hook)) {
            copy.run(RECORDS, phase == Phase.ABORT ? HIT : -1);
        }
    }

    private static Stream<String> values(Phase phase) {
        return IntStream.range(0, RECORDS).mapToObj(i -> phase + "-" + i);
    }

    private static void meet(CyclicBarrier everyPhase) {
        try {
            everyPhase.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("not every copy has come to its phase", e);
        }
    }

    /** A transactional id, and the name of a group. */
    private static String coordinatedBy(int broker) {
        return Stream.generate(() -> topics.newName("copy"))
                .filter(id -> kafka.transactionCoordinator(id) == broker)
                .findFirst()
                .orElseThrow();
    }

    /** Not waited for: the calls that follow are in progress while the broker goes. */
    private void hit(Fault fault, int broker) {
        if (fault == Fault.COORDINATOR_PAUSED) {
            repairs.add(() -> kafka.resume(broker));
            faults.add(CompletableFuture.runAsync(() -> kafka.pause(broker)));
        } else {
            repairs.add(() -> kafka.restart(broker));
            faults.add(CompletableFuture.runAsync(() -> kafka.kill(broker)));
        }
    }

    private static ProducerSettings producer(String id) {
        return ProducerSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .transactionalId(id)
                .transactionTimeout(Duration.ofSeconds(15))
                .property("delivery.timeout.ms", 8_000)
                .property("request.timeout.ms", 2_000)
                .property("max.block.ms", 4_000)
                .callTimeout(Duration.ofSeconds(10))
                .build();
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
