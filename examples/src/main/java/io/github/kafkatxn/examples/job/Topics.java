package io.github.kafkatxn.examples.job;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The topics and the group of one run, with names of their own.
 *
 * @param run a name that nobody else uses
 */
record Topics(String run) {
    private static final int EVENTS_PARTITIONS = 4;
    private static final long SECONDS = 40;

    String rows() {
        return run + "-rows";
    }

    String events() {
        return run + "-events";
    }

    String deadLetters() {
        return run + "-dead-letters";
    }

    String group() {
        return run;
    }

    /** The partitions of what comes out. */
    List<TopicPartition> outputs() {
        return Stream.concat(
                        IntStream.range(0, EVENTS_PARTITIONS).mapToObj(n -> new TopicPartition(events(), n)),
                        Stream.of(new TopicPartition(deadLetters(), 0)))
                .toList();
    }

    /** Creates them; they and the group are deleted when the result is closed, if so wanted. */
    Created create(Admin admin, int partitions, Group group, boolean delete) {
        finish(
                "the topics of " + run + " could not be created",
                admin.createTopics(List.of(
                                topic(rows(), partitions), topic(events(), EVENTS_PARTITIONS), topic(deadLetters(), 1)))
                        .all());
        return new Created(this, admin, group, delete);
    }

    record Created(Topics topics, Admin admin, Group group, boolean delete) implements AutoCloseable {
        @Override
        public void close() {
            if (delete) {
                group.deleteAround(() -> topics.delete(admin));
            }
        }
    }

    private void delete(Admin admin) {
        finish(
                "the topics " + run + "-* could not be deleted",
                admin.deleteTopics(List.of(rows(), events(), deadLetters())).all());
    }

    /** Waits for an answer, bounded. */
    static <T> T finish(String failure, KafkaFuture<T> answer) {
        try {
            return answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new JobFailure(failure + ": " + explained(cause), cause);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (TimeoutException e) {
            throw new JobFailure(failure + ": no answer within " + SECONDS + " s", e);
        }
    }

    private static String explained(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("node assignment") ? "no broker has answered (" + message + ")" : message;
    }

    /** With as many replicas as the cluster gives by itself. */
    private static NewTopic topic(String name, int partitions) {
        return new NewTopic(name, Optional.of(partitions), Optional.empty());
    }
}
