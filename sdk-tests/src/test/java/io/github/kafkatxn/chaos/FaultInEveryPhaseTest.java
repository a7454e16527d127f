package io.github.kafkatxn.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A broker is lost in the middle of each step of a transaction: the leader of an output partition, the transaction
 * coordinator, or one that stands still for longer than every timeout. Whoever does what the results say has every
 * input record in the committed output once.
 */
class FaultInEveryPhaseTest {
    private static final int RECORDS = 600;
    private static final int PER_TRANSACTION = 60;
    private static final int HIT = 4;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static ApacheKafka kafka;
    private static Topics topics;

    private final List<CompletableFuture<Void>> faults = new ArrayList<>();
    private final List<Runnable> repairs = new ArrayList<>();

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

    static Stream<Arguments> faultsInEveryPhase() {
        return Stream.of(Fault.values())
                .flatMap(fault -> Stream.of(Phase.values()).map(phase -> Arguments.of(fault, phase)));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("faultsInEveryPhase")
    void everyInputIsCommittedOnce(Fault fault, Phase phase) {
        String input = topics.create("in");
        String output = topics.create("out");
        List<String> values =
                IntStream.range(0, RECORDS).mapToObj(i -> "value-" + i).toList();
        topics.load(input, values);
        String id = topics.newName("copy");

        CopyByHand.Hook hook = (transaction, at) -> {
            if (transaction == HIT && at == phase && faults.isEmpty()) {
                hit(fault, output, id);
            }
        };
        try (CopyByHand copy = new CopyByHand(consumer(id), producer(id), input, output, LIMIT, hook)) {
            copy.run(RECORDS, phase == Phase.ABORT ? HIT : -1);
            assertThat(faults).as("the fault happened").hasSize(1);
        }

        assertThat(topics.committedValues(output)).containsExactlyInAnyOrderElementsOf(values);
    }

    /** Not waited for: the call that follows is in progress while the broker goes. */
    private void hit(Fault fault, String output, String id) {
        int broker = fault == Fault.LEADER_KILLED ? kafka.leader(output, 0) : kafka.transactionCoordinator(id);
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
