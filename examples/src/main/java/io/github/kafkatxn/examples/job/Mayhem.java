package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.BatchSender;
import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final GroupView group;

    Mayhem(Scene scene) {
        this.scene = scene;
        this.group = new GroupView(scene.admin(), scene.topics().group());
    }

    /** All blows, one after the other, each with some of the rows before and after it. */
    void run() {
        List<Runnable> blows = new ArrayList<>(List.of(this::poison, this::killInstance));
        scene.kafka().ifPresent(kafka -> blows.add(() -> killBroker(kafka)));
        blows.add(this::fence);
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
        String open = hold(victim);
        long pid = victim.pid();
        victim.kill();
        scene.console()
                .line("HURT  " + victim + " killed (SIGKILL, pid " + pid + ") with the transaction of " + open
                        + " open; started again");
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
        String open = hold(victim);
        long before = victim.tally().get(Tally.REWINDS);
        Map<String, Object> properties =
                Map.of("bootstrap.servers", scene.bootstrapServers(), "transactional.id", open);
        try (var foreign = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            foreign.initTransactions();
        }
        scene.console()
                .line("HURT  " + victim + " fenced: a foreign producer has taken " + open + ", its transaction open");
        victim.release();
        scene.signal()
                .await(
                        victim + " notices that it was fenced; see " + victim.log(),
                        LIMIT,
                        () -> victim.tally().get(Tally.REWINDS) > before);
    }

    /** Makes a lane stand still and waits until its transaction is open on the broker too: its transactional id. */
    private String hold(InstanceProcess victim) {
        victim.hold();
        scene.signal()
                .await(
                        "a record for " + victim + " to stand still at; see " + victim.log(),
                        LIMIT,
                        () -> victim.holding().isPresent());
        Optional<String> id = victim.holding();
        scene.signal().await("an open transaction of " + id, LIMIT, () -> group.isOpen(id.orElseThrow()));
        return id.orElseThrow();
    }

    /** Waits until every lane of every instance has partitions. */
    void awaitWholeGroup() {
        int members = scene.instances().size() * scene.lanes();
        scene.signal()
                .await(
                        "the group " + scene.topics().group() + " stable with " + members
                                + " members that have partitions",
                        LIMIT,
                        () -> group.isWhole(members));
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
