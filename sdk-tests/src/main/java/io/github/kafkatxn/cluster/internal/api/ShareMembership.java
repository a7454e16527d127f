package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Who is a member of a share group: the leader of a partition does not know it and asks the group coordinator. */
final class ShareMembership {
    private final NodeContext node;

    ShareMembership(NodeContext node) {
        this.node = node;
    }

    /**
     * Whether somebody is a member.
     *
     * @param group the group
     * @param memberId the member
     * @param memberEpoch the epoch it has
     * @param done told NONE, or why not
     */
    void check(String group, String memberId, int memberEpoch, Consumer<Errors> done) {
        Optional<NodeInfo> coordinator = node.image().get().coordinator(InternalTopics.OFFSETS, group);
        if (coordinator.isEmpty()) {
            done.accept(Errors.COORDINATOR_NOT_AVAILABLE);
            return;
        }
        node.peers()
                .send(
                        coordinator.get().id(),
                        new ShareGroupDescribeRequestData().setGroupIds(List.of(group)),
                        VersionRange.allOf(ApiMessageType.SHARE_GROUP_DESCRIBE),
                        new Peers.Reply() {
                            @Override
                            public void answered(short version, ApiMessage response) {
                                DescribedGroup described = ((ShareGroupDescribeResponseData) response)
                                        .groups()
                                        .get(0);
                                done.accept(check(described, memberId, memberEpoch));
                            }

                            @Override
                            public void failed(Peers.Failure failure) {
                                done.accept(Errors.COORDINATOR_NOT_AVAILABLE);
                            }
                        });
    }

    private static Errors check(DescribedGroup group, String memberId, int memberEpoch) {
        Errors error = Errors.forCode(group.errorCode());
        if (error != Errors.NONE) {
            return error == Errors.NOT_COORDINATOR ? Errors.COORDINATOR_NOT_AVAILABLE : error;
        }
        return group.members().stream()
                .filter(member -> member.memberId().equals(memberId))
                .findFirst()
                .map(member -> member.memberEpoch() == memberEpoch ? Errors.NONE : Errors.STALE_MEMBER_EPOCH)
                .orElse(Errors.UNKNOWN_MEMBER_ID);
    }
}
