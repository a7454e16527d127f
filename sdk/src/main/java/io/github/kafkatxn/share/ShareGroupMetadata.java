package io.github.kafkatxn.share;

import java.util.Objects;

/**
 * Who acknowledges: a member of a share group. Immutable.
 *
 * @param groupId the share group
 * @param memberId the member
 * @param memberEpoch the member's epoch, as the member knows it; 0 or less while it is not a member
 */
public record ShareGroupMetadata(String groupId, String memberId, int memberEpoch) {

    /**
     * Checks that nothing is missing.
     *
     * @param groupId not null
     * @param memberId not null
     * @param memberEpoch any
     */
    public ShareGroupMetadata {
        Objects.requireNonNull(groupId, "groupId");
        Objects.requireNonNull(memberId, "memberId");
    }
}
