package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ClusterState.Producer;
import io.github.kafkatxn.cluster.SimulationLedger.Outcome;
import io.github.kafkatxn.cluster.fault.FaultRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A cluster, its producers, who reads what they write, and what happens to them, step by step: all of it decided by one
 * seed, but for threads.
 */
final class Simulation implements AutoCloseable {
    private static final int NODES = 3;
    private static final int PRODUCERS = 4;
    private static final int PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<ApiKeys> KEYS = List.of(
            ApiKeys.PRODUCE,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.END_TXN,
            ApiKeys.END_TXN,
            ApiKeys.END_TXN,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            ApiKeys.WRITE_TXN_MARKERS);

    private final SplittableRandom random;
    private final ManualClock clock = new ManualClock();
    private final ReferenceCluster cluster;
    private final SimulationNetwork network;
    private final SimulationLedger ledger = new SimulationLedger();
    private final List<SimulatedProducer> producers;
    private final SimulatedReaders readers;
    private final List<TopicPartition> outputs = IntStream.range(0, PARTITIONS)
            .mapToObj(i -> new TopicPartition("out", i))
            .toList();
    private final List<FaultRule> held = new ArrayList<>();
    private final Map<TopicPartition, Long> stable = new HashMap<>();
    private int down = -1;
    private boolean cut;

    Simulation(int transactionVersion, long seed) {
        random = new SplittableRandom(seed);
        cluster = ReferenceCluster.start(ClusterSettings.builder()
                .nodes(NODES)
                .transactionVersion(transactionVersion)
                .clock(clock)
                .build());
        network = new SimulationNetwork(cluster, transactionVersion);
        producers = IntStream.range(0, PRODUCERS)
                .mapToObj(i -> new SimulatedProducer("p" + i, network, ledger, new TopicPartition("in", i)))
                .toList();
        try (TransactionClient any = TransactionClient.of(cluster, 0)) {
            Uuid topicId = any.createTopic("out", PARTITIONS, NODES);
            readers = new SimulatedReaders(cluster, topicId, outputs, network, ledger);
            any.createTopic("in", PRODUCERS, NODES);
            any.coordinator("p0", 1);
            any.coordinator(SimulationNetwork.GROUP, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One thing happens. */
    void step() {
        int dice = random.nextInt(100);
        if (dice < 74) {
            act(producers.get(random.nextInt(PRODUCERS)));
        } else if (dice < 78) {
            clock.advance(Duration.ofMillis(random.nextLong(1, 4_000)));
        } else if (dice < 82) {
            move();
        } else if (dice < 84) {
            stopOrStart();
        } else if (dice < 86) {
            cutOrJoin();
        } else if (dice < 97) {
            fault();
        } else {
            held.forEach(FaultRule::release);
            held.clear();
        }
        clock.advance(Duration.ofMillis(20));
        check();
        readers.read(random);
    }

    private void act(SimulatedProducer producer) {
        int dice = random.nextInt(100);
        if (!producer.isReady()) {
            producer.initialise();
        } else if (dice < 2 || (producer.isInDoubt() && dice < 30)) {
            producer.crash();
        } else if (producer.isInDoubt() || (producer.isOpen() && dice < 35)) {
            producer.end(dice < 28);
        } else if (dice < 85) {
            producer.send(outputs.get(random.nextInt(PARTITIONS)));
        } else {
            producer.sendOffset();
        }
    }

    private void move() {
        List<TopicPartition> all = Stream.concat(
                        outputs.stream(),
                        Stream.of(
                                cluster.groupPartition(SimulationNetwork.GROUP),
                                cluster.transactionPartition("p" + random.nextInt(PRODUCERS))))
                .toList();
        int node = random.nextInt(NODES);
        if (node != down) {
            cluster.moveLeader(all.get(random.nextInt(all.size())), node);
        }
    }

    private void stopOrStart() {
        if (down < 0) {
            down = random.nextInt(NODES);
            cluster.stopNode(down);
        } else {
            cluster.startNode(down);
            down = -1;
        }
        // Who stops forgets whom it was cut off from.
        if (cut) {
            cut = false;
            joinAll();
        }
    }

    private void cutOrJoin() {
        if (cut) {
            joinAll();
        } else if (down < 0) {
            int a = random.nextInt(NODES);
            cluster.cut(a, (a + 1) % NODES);
        }
        cut = !cut && down < 0;
    }

    private void joinAll() {
        for (int a = 0; a < NODES; a++) {
            int b = (a + 1) % NODES;
            if (a != down && b != down) {
                cluster.join(a, b);
            }
        }
    }

    private void fault() {
        ApiKeys key = KEYS.get(random.nextInt(KEYS.size()));
        String id = producers.get(random.nextInt(PRODUCERS)).id();
        switch (random.nextInt(6)) {
            case 0 -> cluster.faults().on(key).closeBeforeHandling();
            case 1 -> cluster.faults().on(key).closeAfterHandling();
            case 2 -> cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).handleTwice();
            case 3 -> held.add(cluster.faults().onTransaction(id).holdBeforeMarkers());
            case 4 -> held.add(cluster.faults().onTransaction(id).holdBeforeComplete());
            default -> cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).delayAnswer(Duration.ofMillis(500));
        }
    }

    /** What is decided stays decided, and nothing is decided while a transaction is open. */
    private void check() {
        for (TopicPartition partition : outputs) {
            long now = cluster.state().lastStableOffset(partition);
            assertThat(now)
                    .as("last stable offset of " + partition)
                    .isGreaterThanOrEqualTo(stable.getOrDefault(partition, 0L));
            stable.put(partition, now);
            for (Producer producer : cluster.state().producers(partition)) {
                producer.transactionStart()
                        .ifPresent(start -> assertThat(start)
                                .as("open transaction of " + producer + " in " + partition)
                                .isGreaterThanOrEqualTo(now));
            }
        }
    }

    /**
     * Everything heals, every transaction ends, and what is committed is read by a client that knows nothing of this.
     */
    void finish() {
        cluster.faults().clear();
        held.forEach(FaultRule::release);
        if (down >= 0) {
            cluster.startNode(down);
            down = -1;
        }
        joinAll();
        clock.advance(Duration.ofSeconds(30));
        for (SimulatedProducer producer : producers) {
            eventually(producer.id() + " is initialised", () -> {
                if (!producer.isReady() || producer.isOpen()) {
                    producer.crash();
                    producer.initialise();
                }
                return producer.isReady();
            });
            eventually(
                    producer.id() + " has no open transaction",
                    () -> cluster.state()
                            .transaction(producer.id())
                            .filter(transaction -> transaction.state() != TransactionState.ONGOING
                                    && !transaction.state().name().startsWith("PREPARE"))
                            .isPresent());
        }
        for (TopicPartition partition : outputs) {
            eventually(
                    "all of " + partition + " is decided",
                    () -> cluster.state().lastStableOffset(partition)
                            == cluster.state().endOffset(partition));
        }
        assertThat(cluster.state().pendingOffsets(SimulationNetwork.GROUP)).isEmpty();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        cluster.state()
                .offsets(SimulationNetwork.GROUP)
                .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
        assertThat(ledger.count(Outcome.COMMITTED)).as("committed transactions").isPositive();
        Map<TopicPartition, List<String>> committed = read();
        ledger.check(committed, offsets);
        eventually("everybody has read everything", () -> readers.haveAll(committed));
        readers.requireSame(committed);
    }

    /** Both times go on: nodes try again after a moment of the machine's. */
    private void eventually(String what, BooleanSupplier condition) {
        long limit = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > limit) {
                throw new AssertionError("not within " + PATIENCE + ": " + what + "; "
                        + producers.stream()
                                .map(producer ->
                                        producer + " " + cluster.state().transaction(producer.id()))
                                .toList());
            }
            clock.advance(Duration.ofMillis(100));
        }
    }

    private Map<TopicPartition, List<String>> read() {
        Map<TopicPartition, List<String>> values = new HashMap<>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(outputs);
            consumer.seekToBeginning(outputs);
            Map<TopicPartition, Long> ends = consumer.endOffsets(outputs);
            while (outputs.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> values.computeIfAbsent(
                                        new TopicPartition(record.topic(), record.partition()), p -> new ArrayList<>())
                                .add(record.value()));
            }
        }
        return values;
    }

    @Override
    public void close() {
        readers.close();
        network.close();
        cluster.close();
    }
}
