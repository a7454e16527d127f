package io.github.kafkatxn.examples.job;

import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;

/** A group in which every partition is one member's. */
final class ConsumerGroup extends Group {
    ConsumerGroup(Admin admin, String name) {
        super(admin, name);
    }

    @Override
    void set() {
        // Its members bring along what it needs.
    }

    @Override
    void unset() {
        // Nothing was set.
    }

    @Override
    boolean isWholeNow(int members) {
        ConsumerGroupDescription now = Topics.finish(
                        "the group " + this + " could not be described",
                        admin().describeConsumerGroups(List.of(toString())).all())
                .values()
                .iterator()
                .next();
        return now.groupState() == GroupState.STABLE
                && now.members().size() == members
                && now.members().stream()
                        .noneMatch(
                                member -> member.assignment().topicPartitions().isEmpty());
    }

    @Override
    KafkaFuture<Void> deleteNow() {
        return admin().deleteConsumerGroups(List.of(toString())).all();
    }
}
