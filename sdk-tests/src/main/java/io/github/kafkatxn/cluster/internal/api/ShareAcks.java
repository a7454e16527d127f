package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.api.ShareRequests.Target;
import io.github.kafkatxn.cluster.internal.api.ShareSessions.Part;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.share.AckType;
import io.github.kafkatxn.cluster.internal.share.Acknowledgement;
import io.github.kafkatxn.cluster.internal.share.SharePartition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;

/** The acknowledgements of one request: each partition for itself, all of a partition or nothing. */
final class ShareAcks {
    private static final int RENEW_SINCE = 2;

    private final NodeContext node;
    private final Call<?> call;
    private final ShareSessions.Member member;
    private final boolean renew;

    ShareAcks(NodeContext node, Call<?> call, ShareSessions.Member member, boolean renew) {
        this.node = node;
        this.call = call;
        this.member = member;
        this.renew = renew;
    }

    /** Tells the error of each partition, once all are known. */
    void process(Map<Part, List<Acknowledgement>> acks, Consumer<Map<Part, Errors>> done) {
        Map<Part, Errors> results = new LinkedHashMap<>();
        acks.keySet().forEach(part -> results.put(part, Errors.NONE));
        Gathering gathering = new Gathering(call.guarded(() -> done.accept(results)));
        acks.forEach((part, batches) -> {
            gathering.expect();
            process(part, batches, error -> {
                results.put(part, error);
                gathering.arrived();
            });
        });
        gathering.arrived();
    }

    private void process(Part part, List<Acknowledgement> batches, Consumer<Errors> done) {
        Target target = ShareRequests.target(node, call, part.topicId(), part.partition());
        LedPartition led = target.led();
        int highest = call.version() < RENEW_SINCE ? AckType.REJECT : AckType.RENEW;
        if (led == null) {
            done.accept(target.error());
            return;
        }
        Optional<SharePartition> share = node.share().partitions().find(member.group(), led.id());
        if (!Acknowledgement.refusal(batches, highest, renew).isEmpty()) {
            done.accept(Errors.INVALID_REQUEST);
        } else if (share.isEmpty()) {
            done.accept(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        } else {
            share.get().acknowledge(member.id(), batches, done);
        }
    }
}
