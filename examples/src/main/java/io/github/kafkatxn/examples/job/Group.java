package io.github.kafkatxn.examples.job;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/** The group of the application and its transactions, as the coordinators see them. */
abstract sealed class Group permits ConsumerGroup, ShareGroup {
    /** Members that were killed are part of it until their sessions have expired. */
    private static final Duration EMPTY_WITHIN = Duration.ofSeconds(60);

    private final Admin admin;
    private final String name;

    Group(Admin admin, String name) {
        this.admin = admin;
        this.name = name;
    }

    /** Whether that many members live and each has partitions. */
    final boolean isWhole(int members) {
        return asked(() -> isWholeNow(members));
    }

    /** Whether a transaction of this id is open, with at least one partition. */
    final boolean isOpen(String transactionalId) {
        return asked(() -> Topics.finish(
                                "the transaction of " + transactionalId + " could not be described",
                                admin.describeTransactions(List.of(transactionalId))
                                        .description(transactionalId))
                        .state()
                == TransactionState.ONGOING);
    }

    /**
     * Deletes it, together with its topics and what was set for it: before the topics if it is empty by then, since
     * what a share group knows of them is deleted with it.
     */
    final void deleteAround(Runnable topics) {
        unset();
        boolean deleted = isDeleted();
        topics.run();
        if (!deleted) {
            new Signal().await("the group " + name + " deleted", EMPTY_WITHIN, this::isDeleted);
        }
    }

    /** Sets at the brokers what has to be set before its first member comes. */
    abstract void set();

    abstract void unset();

    abstract boolean isWholeNow(int members);

    abstract KafkaFuture<Void> deleteNow();

    final Admin admin() {
        return admin;
    }

    @Override
    public final String toString() {
        return name;
    }

    private boolean isDeleted() {
        try {
            Topics.finish("the group " + name + " could not be deleted", deleteNow());
            return true;
        } catch (JobFailure e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return true;
            }
            if (e.getCause() instanceof GroupNotEmptyException || e.getCause() instanceof RetriableException) {
                return false;
            }
            throw e;
        }
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
