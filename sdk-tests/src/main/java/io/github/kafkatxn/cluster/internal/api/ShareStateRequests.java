package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

/**
 * What the requests from node to node about the state of share partitions have in common: who may send them, and that
 * each partition is kept by the share coordinator of its key. One for each request.
 */
final class ShareStateRequests {
    private final NodeContext node;
    private final String group;
    private final boolean allowed;

    ShareStateRequests(NodeContext node, Call<?> call, String group) {
        this.node = node;
        this.group = group;
        this.allowed = ShareRequests.mayActOnCluster(node, call);
    }

    /** Does what is asked for a partition. */
    interface Action<A, R> {
        R apply(A asked, SharePartitionKey key, ShareStateShard shard);
    }

    /** Makes the answer for a partition that nothing can be done for. */
    interface Refusal<R> {
        R of(int partition, Errors error);
    }

    SharePartitionKey key(Uuid topicId, int partition) {
        return new SharePartitionKey(group, topicId, partition);
    }

    /** {@return the answers for the partitions of a topic} */
    <A, R> List<R> answers(
            Uuid topicId, List<A> partitions, ToIntFunction<A> number, Action<A, R> action, Refusal<R> refusal) {
        return partitions.stream()
                .map(asked -> {
                    SharePartitionKey key = key(topicId, number.applyAsInt(asked));
                    return answer(
                            key, shard -> action.apply(asked, key, shard), error -> refusal.of(key.partition(), error));
                })
                .toList();
    }

    /** {@return the answer for one partition} */
    <R> R answer(SharePartitionKey key, Function<ShareStateShard, R> action, Function<Errors, R> refusal) {
        if (!allowed) {
            return refusal.apply(Errors.CLUSTER_AUTHORIZATION_FAILED);
        }
        ShareStateShard shard;
        try {
            shard = node.share().coordinator().shardOf(key);
        } catch (ApiException e) {
            return refusal.apply(Errors.forException(e));
        }
        return action.apply(shard);
    }
}
