package io.github.kafkatxn.examples.job;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/** What the coordinators say about the application: its group and its transactions. */
final class GroupView {
    private final Admin admin;
    private final String group;

    GroupView(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /** Whether it has that many members and each has partitions. */
    boolean isWhole(int members) {
        return asked(() -> {
            ConsumerGroupDescription now = Topics.finish(
                            "the group " + group + " could not be described",
                            admin.describeConsumerGroups(List.of(group)).all())
                    .values()
                    .iterator()
                    .next();
            return now.groupState() == GroupState.STABLE
                    && now.members().size() == members
                    && now.members().stream()
                            .noneMatch(member ->
                                    member.assignment().topicPartitions().isEmpty());
        });
    }

    /** Whether a transaction of this id is open, with at least one partition. */
    boolean isOpen(String transactionalId) {
        return asked(() -> Topics.finish(
                                "the transaction of " + transactionalId + " could not be described",
                                admin.describeTransactions(List.of(transactionalId))
                                        .description(transactionalId))
                        .state()
                == TransactionState.ONGOING);
    }

    /** What cannot be answered for the moment does not hold yet. */
    private static boolean asked(BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (JobFailure e) {
            if (e.getCause() instanceof RetriableException
                    || e.getCause() instanceof GroupIdNotFoundException
                    || e.getCause() instanceof TransactionalIdNotFoundException) {
                return false;
            }
            throw e;
        }
    }
}
