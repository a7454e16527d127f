package io.github.kafkatxn.internal.wire;

/**
 * Who acknowledges.
 *
 * @param groupId the share group
 * @param memberId the member
 * @param memberEpoch its epoch
 */
public record ShareMember(String groupId, String memberId, int memberEpoch) {}
