package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.api.ShareSessions.Part;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.share.Acquired;
import io.github.kafkatxn.cluster.internal.share.SharePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** A share fetch that waits until there is something to acquire, or until its time is over. */
final class PendingShareFetch {
    /** So long it waits for what share coordinators have to say. */
    private static final int PATIENCE_MS = 5_000;

    private final Map<Part, SharePartition> shares = new LinkedHashMap<>();
    private final Map<Part, PartitionData> results = new LinkedHashMap<>();
    private final List<Runnable> unwatch = new ArrayList<>();
    private final NodeContext node;
    private final Call<ShareFetchRequestData> call;
    private final Consumer<Map<Part, PartitionData>> done;
    private EventLoop.@Nullable Timer timer;
    private boolean looksSoon;
    private boolean over;

    PendingShareFetch(NodeContext node, Call<ShareFetchRequestData> call, Consumer<Map<Part, PartitionData>> done) {
        this.node = node;
        this.call = call;
        this.done = done;
    }

    /** Fetches from these partitions, all led here; the first ones have more than the last ones. */
    void start(Map<Part, LedPartition> partitions, int maxWaitMs) {
        Gathering loading = new Gathering(call.guarded(() -> loaded(maxWaitMs)));
        timer = node.loop().afterRealTime(PATIENCE_MS, call.guarded(this::finish));
        partitions.forEach((part, led) -> {
            results.put(part, empty(part.partition()));
            loading.expect();
            node.share().partitions().load(call.request().groupId(), led, (error, share) -> {
                if (!over && share != null) {
                    shares.put(part, share);
                    watch(led, share);
                } else if (!over) {
                    results.put(part, empty(part.partition()).setErrorCode(error.code()));
                }
                loading.arrived();
            });
        });
        loading.arrived();
    }

    static PartitionData empty(int partition) {
        return new PartitionData().setPartitionIndex(partition).setRecords(MemoryRecords.EMPTY);
    }

    private void watch(LedPartition led, SharePartition share) {
        Runnable watcher = this::changed;
        led.watch(watcher);
        share.watch(watcher);
        unwatch.add(() -> {
            led.unwatch(watcher);
            share.unwatch(watcher);
        });
    }

    /** From now on it is waited for records. */
    private void loaded(int maxWaitMs) {
        if (over) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        boolean failed = results.values().stream().anyMatch(data -> data.errorCode() != Errors.NONE.code());
        if (failed || maxWaitMs <= 0) {
            finish();
        } else {
            timer = node.loop().afterRealTime(maxWaitMs, call.guarded(this::finish));
            look();
        }
    }

    /** Looks once for all that happens until then. */
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
        long readable = 0;
        for (SharePartition share : shares.values()) {
            readable += share.readable(maxBytes());
        }
        boolean moved = shares.values().stream().anyMatch(SharePartition::isFenced);
        if (moved
                || !call.connection().isOpen()
                || readable >= Math.max(1, call.request().minBytes())) {
            finish();
        }
    }

    private void finish() {
        if (over) {
            return;
        }
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        unwatch.forEach(Runnable::run);
        if (call.connection().isOpen()) {
            acquire();
            done.accept(results);
        }
    }

    private void acquire() {
        ShareFetchRequestData request = call.request();
        int left = request.maxRecords();
        for (Map.Entry<Part, SharePartition> entry : shares.entrySet()) {
            Part part = entry.getKey();
            SharePartition share = entry.getValue();
            if (share.isFenced()) {
                results.put(
                        part,
                        empty(part.partition())
                                .setErrorCode(ShareRequests.target(node, call, part.topicId(), part.partition())
                                        .error()
                                        .code()));
            } else if (left > 0) {
                Acquired acquired = share.acquire(new Acquired.Wanted(
                        request.memberId(),
                        left,
                        request.shareAcquireMode() == ShareFetchHandler.RECORD_LIMIT,
                        Math.max(1, request.batchSize()),
                        maxBytes()));
                left -= acquired.size();
                results.put(part, encode(part.partition(), acquired));
            }
        }
    }

    private int maxBytes() {
        return call.request().maxBytes() / Math.max(1, shares.size());
    }

    private static PartitionData encode(int partition, Acquired acquired) {
        PartitionData data = empty(partition).setRecords(acquired.records());
        acquired.ranges()
                .forEach(range -> data.acquiredRecords()
                        .add(new AcquiredRecords()
                                .setFirstOffset(range.first())
                                .setLastOffset(range.last())
                                .setDeliveryCount((short) range.deliveryCount())));
        return data;
    }
}
