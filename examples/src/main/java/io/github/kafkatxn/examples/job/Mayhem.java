package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.BatchSender;
import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** What is done to the application while it runs; after each blow it has to be whole again before the next. */
final class Mayhem {
    /** How many records nobody can process are sent. */
    static final int POISON = 3;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Scene scene;

    Mayhem(Scene scene) {
        this.scene = scene;
    }

    /** All blows, one after the other, each with some of the rows before and after it. */
    void run() {
        List<Runnable> blows = new ArrayList<>(List.of(this::poison, this::killInstance));
        if (scene.group() instanceof ShareGroup group) {
            blows.add(() -> outlast(group));
        } else {
            scene.kafka().ifPresent(kafka -> blows.add(() -> killBroker(kafka)));
            blows.add(this::fence);
        }
        double parts = 2.0 * blows.size() + 1;
        for (int i = 0; i < blows.size(); i++) {
            scene.feeder().allow((2 * i + 1) / parts);
            blows.get(i).run();
            awaitWholeGroup();
            scene.feeder().allow((2 * i + 2) / parts);
            awaitCommits();
        }
        scene.feeder().allow(1);
    }

    private void poison() {
        int rows = scene.rows();
        String nonsense = "\u0000\u0001 no row";
        ProducerSettings settings = ProducerSettings.builder()
                .bootstrapServers(scene.bootstrapServers())
                .transactionalId(scene.topics().run() + "-poison")
                .build();
        long before = scene.ledger().dead();
        try (BatchSender sender = new BatchSender(settings)) {
            sender.send(IntStream.rangeClosed(rows + 1, rows + POISON)
                    .mapToObj(id -> new ProducerRecord<>(scene.topics().rows(), Integer.toString(id), nonsense))
                    .toList());
        }
        scene.console().line("HURT  " + POISON + " records sent that cannot be processed");
        scene.signal()
                .await(
                        POISON + " more records in " + scene.topics().deadLetters(),
                        LIMIT,
                        () -> scene.ledger().dead() >= before + POISON);
    }

    private void killInstance() {
        InstanceProcess victim = scene.instances().get(0);
        Held held = hold(victim);
        long pid = victim.pid();
        victim.kill();
        scene.console()
                .line("HURT  " + victim + " killed (SIGKILL, pid " + pid + ") with the transaction of "
                        + held.transactionalId() + " open; started again");
        victim.start();
    }

    private void killBroker(StartedKafka kafka) {
        int broker = kafka.groupCoordinator(scene.topics().group());
        kafka.kill(broker);
        scene.console().line("HURT  broker " + broker + " killed" + kafka.how() + ", which coordinated the group");
        kafka.restart(broker);
        scene.console().line("      broker " + broker + " is back");
    }

    private void fence() {
        InstanceProcess victim = scene.instances().get(1);
        String open = hold(victim).transactionalId();
        long before = victim.tally().get(Tally.REWINDS);
        Map<String, Object> properties =
                Map.of("bootstrap.servers", scene.bootstrapServers(), "transactional.id", open);
        try (var foreign = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            foreign.initTransactions();
        }
        scene.console()
                .line("HURT  " + victim + " fenced: a foreign producer has taken " + open + ", its transaction open");
        victim.release();
        awaitRewind(victim, before, "notices that it was fenced");
    }

    /**
     * A lane stands still until others have been given the record at which it stands. What it has sent keeps readers of
     * the output from what comes after it: that others do its work shows only when it has aborted.
     */
    private void outlast(ShareGroup group) {
        InstanceProcess victim = scene.instances().get(1);
        Held held = hold(victim);
        scene.console()
                .line("HURT  " + victim + " stands still, the transaction of " + held.transactionalId()
                        + " open, for longer than its lock of " + group.lock().toMillis() / 1e3 + " s");
        scene.signal()
                .await(
                        "others are given the record (topic, partition, offset, delivery) " + held.record(),
                        Hold.LIMIT,
                        () -> scene.instances().whoHasAfter(held.record()).isPresent());
        long before = victim.tally().get(Tally.REWINDS);
        victim.release();
        awaitRewind(victim, before, "notices that its records are not its own any more");
        InstanceProcess heir = scene.instances().whoHasAfter(held.record()).orElseThrow();
        scene.console()
                .line("      its record was given to " + (heir == victim ? "its other lane" : heir)
                        + "; it had to abort, and goes on");
    }

    private void awaitRewind(InstanceProcess victim, long before, String what) {
        scene.signal()
                .await(
                        victim + " " + what + "; see " + victim.log(),
                        LIMIT,
                        () -> victim.tally().get(Tally.REWINDS) > before);
    }

    /** Makes a lane stand still and waits until its transaction is open on the broker too. */
    private Held hold(InstanceProcess victim) {
        victim.hold();
        scene.signal().await("a record for " + victim + " to stand still at; see " + victim.log(), LIMIT, () -> {
            if (idle()) {
                // Others have taken all there was.
                scene.feeder().allowMore(scene.application().members());
            }
            return victim.held().isPresent();
        });
        Held held = victim.held().orElseThrow();
        scene.signal()
                .await(
                        "an open transaction of " + held,
                        Hold.LIMIT,
                        () -> scene.group().isOpen(held.transactionalId()));
        return held;
    }

    /** Waits until every instance works and every lane has partitions. */
    void awaitWholeGroup() {
        int members = scene.application().members();
        scene.signal()
                .await(
                        "the group " + scene.group() + " stable with " + members + " members that have partitions",
                        LIMIT,
                        () -> scene.instances().work() && scene.group().isWhole(members));
    }

    /** There are more rows than have come out yet, so each instance has to commit something. */
    private void awaitCommits() {
        for (InstanceProcess instance : scene.instances()) {
            long before = instance.tally().get(Tally.TRANSACTIONS);
            scene.signal()
                    .await(
                            instance + " commits again; see " + instance.log(),
                            LIMIT,
                            () -> instance.tally().get(Tally.TRANSACTIONS) > before || idle());
        }
    }

    private boolean idle() {
        return scene.feeder().waits() && scene.ledger().seen() >= scene.feeder().fed();
    }
}
