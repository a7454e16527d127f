package io.github.kafkatxn.cluster.internal.group;

import org.apache.kafka.common.errors.ApiException;
import org.jspecify.annotations.Nullable;

/** A group, whatever protocol its members speak. Checks throw an {@link ApiException} of the error to be answered. */
abstract class Group {
    private final String id;

    Group(String id) {
        this.id = id;
    }

    final String id() {
        return id;
    }

    abstract String typeName();

    abstract String stateName();

    abstract String protocolType();

    abstract boolean isEmpty();

    abstract boolean isSubscribedTo(String topic);

    abstract CommitCheck checkCommit(Committer committer);

    abstract void checkFetch(@Nullable String memberId, int memberEpoch);

    abstract void checkOffsetDelete();

    abstract void checkDelete();

    abstract GroupView view();

    /**
     * Who commits offsets, as the request says.
     *
     * @param memberId a member, or empty
     * @param instanceId a static member, or null
     * @param epoch the generation or member epoch, -1 for none
     * @param transactional whether as a part of a transaction
     * @param version the version of the request
     */
    record Committer(String memberId, @Nullable String instanceId, int epoch, boolean transactional, short version) {

        /** Nobody in particular: a consumer that assigns its partitions itself. */
        boolean isUnnamed() {
            return epoch < 0 && memberId.isEmpty() && instanceId == null;
        }
    }
}
