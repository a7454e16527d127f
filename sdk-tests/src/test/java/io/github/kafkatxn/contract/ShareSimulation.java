package io.github.kafkatxn.contract;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.contract.PipeContract.Pipe;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.ShareProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * What happens to workers, step by step: decided by one seed, but for threads.
 *
 * <p>A worker dies in that one kind of its requests is not answered any more, before or after it is handled; some steps
 * later nothing of it gets through, it is closed, and another one takes its name.
 */
final class ShareSimulation {
    private static final int WORKERS = 3;
    private static final int NODES = 3;
    private static final int TXN_SHARE_ACKNOWLEDGE = 95;
    private static final List<Integer> KEYS = List.of(
            TXN_SHARE_ACKNOWLEDGE,
            (int) ApiKeys.END_TXN.id,
            (int) ApiKeys.PRODUCE.id,
            (int) ApiKeys.SHARE_FETCH.id,
            (int) ApiKeys.SHARE_ACKNOWLEDGE.id,
            (int) ApiKeys.INIT_PRODUCER_ID.id);

    private final ShareContract contract;
    private final ReferenceCluster cluster;
    private final Pipe pipe;
    private final SplittableRandom random;
    private final Map<Integer, ShareProcessor> workers = new TreeMap<>();
    private final Map<Integer, List<FaultRule>> dying = new TreeMap<>();
    private final List<String> story = new ArrayList<>();
    private int poison;
    private int down = -1;

    ShareSimulation(ShareContract contract, ReferenceCluster cluster, Pipe pipe, long seed) {
        this.contract = contract;
        this.cluster = cluster;
        this.pipe = pipe;
        this.random = new SplittableRandom(seed);
        contract.configure(pipe, Map.of("share.delivery.count.limit", "10"));
    }

    void run(int steps) {
        for (int worker = 0; worker < WORKERS; worker++) {
            start(worker);
        }
        feed();
        // There is a state of the share group by then, whose leader can move.
        contract.awaitOutputs(pipe);
        for (int step = 0; step < steps; step++) {
            step();
        }
        if (down >= 0) {
            startNode();
        }
        List.copyOf(dying.keySet()).forEach(this::dieOrBury);
        cluster.faults().clear();
        tell("the end");
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 25) {
            feed();
        } else if (dice < 55) {
            dieOrBury(random.nextInt(WORKERS));
        } else if (dice < 75) {
            move();
        } else if (dice < 85) {
            if (down < 0) {
                down = random.nextInt(NODES);
                cluster.stopNode(down);
                tell("node " + down + " stops");
            } else {
                startNode();
            }
        } else {
            loseOne();
        }
        int some = contract.probe().committedValues(pipe.out()).size();
        tell(some + " outputs");
    }

    private void feed() {
        int partition = random.nextInt(pipe.partitions());
        contract.feed(pipe, partition, random.nextInt(1, 40));
        if (random.nextInt(3) == 0) {
            contract.append(pipe, partition, List.of("poison " + poison++));
        }
        tell("fed " + pipe.fed().size());
    }

    private void dieOrBury(int worker) {
        if (dying.containsKey(worker)) {
            bury(worker);
            start(worker);
            return;
        }
        int key = KEYS.get(random.nextInt(KEYS.size()));
        boolean after = random.nextBoolean();
        List<FaultRule> rules = new ArrayList<>();
        for (String client : clients(worker)) {
            Fault every = cluster.faults().on(key).clientId(client).everyTime();
            rules.add(after ? every.dropAfterHandling() : every.dropBeforeHandling());
        }
        dying.put(worker, rules);
        tell("worker " + worker + " dies at " + key + (after ? ", handled" : ", not handled"));
    }

    /** Nothing of it gets through any more: it closes, and the cluster does not see it. */
    private void bury(int worker) {
        List<FaultRule> rules = new ArrayList<>();
        for (String client : clients(worker)) {
            rules.add(cluster.faults().onAny().clientId(client).everyTime().dropBeforeHandling());
        }
        Objects.requireNonNull(dying.remove(worker)).forEach(FaultRule::remove);
        Objects.requireNonNull(workers.remove(worker)).close();
        rules.forEach(FaultRule::remove);
        tell("worker " + worker + " is dead");
    }

    private void start(int worker) {
        workers.put(worker, contract.startShare(settings(worker), (record, outputs) -> {
            if (record.value().startsWith("poison")) {
                throw new IllegalArgumentException(record.value());
            }
            pipe.copy().transform(record, outputs);
        }));
        tell("worker " + worker + " starts");
    }

    private ProcessorSettings.Builder settings(int worker) {
        return ShareContract.hasty(contract.settings(pipe))
                .instance("w" + worker)
                .maxAttempts(2)
                .maxDeliveries(6)
                .maxFencings(1000)
                .maxRecordsPerTransaction(1 + worker * 5)
                .shutdownTimeout(Duration.ofSeconds(1));
    }

    private List<String> clients(int worker) {
        ProcessorSettings settings = settings(worker).build();
        String lane = settings.transactionalId(0, 0).replaceAll("-0$", "");
        return List.of(
                lane, "producer-" + settings.transactionalId(0, 0), "producer-" + settings.transactionalId(0, 1));
    }

    private void move() {
        List<TopicPartition> all = List.of(
                pipe.partition(0),
                pipe.partition(1),
                new TopicPartition(pipe.out(), 0),
                cluster.sharePartition(pipe.group(), pipe.partition(0)),
                cluster.groupPartition(pipe.group()),
                cluster.transactionPartition(
                        settings(random.nextInt(WORKERS)).build().transactionalId(0, random.nextInt(2))));
        TopicPartition partition = all.get(random.nextInt(all.size()));
        int node = random.nextInt(NODES);
        if (node != down) {
            cluster.moveLeader(partition, node);
            tell(partition + " moves to " + node);
        }
    }

    private void startNode() {
        cluster.startNode(down);
        tell("node " + down + " starts");
        down = -1;
    }

    /** A connection is lost with it. */
    private void loseOne() {
        int key = KEYS.get(random.nextInt(KEYS.size()));
        Fault next = cluster.faults().on(key).once();
        FaultRule unused = random.nextBoolean() ? next.closeAfterHandling() : next.closeBeforeHandling();
        tell("a connection is lost at " + key + ": " + unused);
    }

    private void tell(String what) {
        story.add(what);
    }

    /** What has happened, and what has become of the records. */
    @Override
    public String toString() {
        List<String> missing = new ArrayList<>(pipe.fed());
        contract.probe().committedValues(pipe.out()).forEach(missing::remove);
        contract.probe().committedValues(pipe.dead()).forEach(missing::remove);
        story.add("missing: " + missing);
        for (int partition = 0; partition < pipe.partitions(); partition++) {
            story.add(partition + ": " + cluster.shareRecords(pipe.group(), pipe.partition(partition)));
        }
        return String.join("\n", story);
    }
}
