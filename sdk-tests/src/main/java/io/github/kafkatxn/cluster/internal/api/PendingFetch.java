package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/** A fetch that waits until there is enough, or until its time is over. */
final class PendingFetch {
    private final List<LedPartition> watched = new ArrayList<>();
    private final Runnable watcher = this::changed;
    private final NodeContext node;
    private final Call<?> call;
    private final FetchReader reader;
    private final List<FetchTarget> targets;
    private final long minBytes;
    private final Consumer<FetchReader.Result> done;
    private EventLoop.@Nullable Timer timer;
    private boolean looksSoon;
    private boolean over;

    PendingFetch(
            NodeContext node,
            Call<?> call,
            FetchReader reader,
            List<FetchTarget> targets,
            long minBytes,
            Consumer<FetchReader.Result> done) {
        this.node = node;
        this.call = call;
        this.reader = reader;
        this.targets = targets;
        this.minBytes = minBytes;
        this.done = done;
    }

    void start(long maxWaitMs) {
        FetchReader.Result first = reader.read(targets);
        if (maxWaitMs <= 0 || targets.isEmpty() || isEnough(first)) {
            done.accept(first);
            return;
        }
        for (FetchTarget target : targets) {
            node.partitions().find(target.partition()).ifPresent(partition -> {
                partition.watch(watcher);
                watched.add(partition);
            });
        }
        timer = node.loop().afterRealTime(maxWaitMs, call.guarded(() -> finish(reader.read(targets))));
    }

    /** Looks once for all that happens until then: an append to several partitions, a batch and its marker. */
    private void changed() {
        if (!looksSoon && !over) {
            looksSoon = true;
            node.loop().execute(call.guarded(this::look));
        }
    }

    private void look() {
        looksSoon = false;
        if (over) {
            return;
        }
        FetchReader.Result result = reader.read(targets);
        if (isEnough(result) || hasMoved()) {
            finish(result);
        }
    }

    /** Under another leader epoch a partition is another one, which nobody watches. */
    private boolean hasMoved() {
        return watched.stream()
                .anyMatch(partition -> leaderEpoch(partition.id().topicPartition()) != partition.leaderEpoch());
    }

    private int leaderEpoch(TopicPartition partition) {
        return node.partitions()
                .find(partition)
                .map(LedPartition::leaderEpoch)
                .orElse(RecordBatch.NO_PARTITION_LEADER_EPOCH);
    }

    private void finish(FetchReader.Result result) {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        watched.forEach(partition -> partition.unwatch(watcher));
        done.accept(result);
    }

    private boolean isEnough(FetchReader.Result result) {
        return result.decided() || result.bytes() >= minBytes;
    }
}
