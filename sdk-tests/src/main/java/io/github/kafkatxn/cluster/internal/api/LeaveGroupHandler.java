package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.ClassicProtocol;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.LeaveGroupResponse;

/**
 * LeaveGroup (key 13).
 *
 * <p><b>Versions</b>: 0-5. From 3 on several members may leave, static ones by their instance ids.
 *
 * <p><b>Behaviour</b>: READ on the group, else GROUP_AUTHORIZATION_FAILED; empty id INVALID_GROUP_ID. Each member for
 * itself: UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID; up to version 2 that is the answer as a whole. Members of the consumer
 * protocol can be let go, too.
 *
 * <p><b>Left out</b>: nothing.
 */
final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequestData> {
    private static final int MANY_MEMBERS_SINCE = 3;

    private final NodeContext node;

    LeaveGroupHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.LEAVE_GROUP.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.LEAVE_GROUP);
    }

    @Override
    public void handle(Call<LeaveGroupRequestData> call) {
        LeaveGroupRequestData request = call.request();
        List<MemberIdentity> leaving = call.version() >= MANY_MEMBERS_SINCE
                ? request.members()
                : List.of(new MemberIdentity().setMemberId(request.memberId()));
        List<MemberResponse> left = new ArrayList<>();
        Errors error = GroupRequests.checkMember(node, call, request.groupId());
        if (error == Errors.NONE) {
            try {
                ClassicProtocol classic =
                        node.groups().shardOf(request.groupId()).classic();
                leaving.forEach(member -> left.add(response(member, leave(classic, request.groupId(), member))));
            } catch (ApiException e) {
                error = Errors.forException(e);
                left.clear();
            }
        }
        call.answer(new LeaveGroupResponse(left, error, 0, call.version()).data());
    }

    private static Errors leave(ClassicProtocol classic, String group, MemberIdentity member) {
        try {
            return classic.leave(group, member);
        } catch (UnknownMemberIdException e) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
    }

    private static MemberResponse response(MemberIdentity member, Errors error) {
        return new MemberResponse()
                .setMemberId(member.memberId())
                .setGroupInstanceId(member.groupInstanceId())
                .setErrorCode(error.code());
    }
}
