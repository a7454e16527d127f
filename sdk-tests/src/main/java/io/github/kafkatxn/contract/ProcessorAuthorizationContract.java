package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a person has to change stops the processor, which says what it is; once it is changed everything goes on. On a
 * target with ACLs. Scenarios C33, C34.
 */
public abstract class ProcessorAuthorizationContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorAuthorizationContract() {}

    /** A right that a processor needs. */
    public enum Right {
        /** To poll. */
        READ_INPUT(ResourceType.TOPIC, AclOperation.READ),
        /** To send outputs. */
        WRITE_OUTPUT(ResourceType.TOPIC, AclOperation.WRITE),
        /** To dead-letter. */
        WRITE_DEAD_LETTERS(ResourceType.TOPIC, AclOperation.WRITE),
        /** To be a member, and to commit offsets. */
        READ_GROUP(ResourceType.GROUP, AclOperation.READ),
        /** To use transactions. */
        WRITE_TRANSACTIONAL_ID(ResourceType.TRANSACTIONAL_ID, AclOperation.WRITE);

        private final ResourceType type;
        private final AclOperation operation;

        Right(ResourceType type, AclOperation operation) {
            this.type = type;
            this.operation = operation;
        }

        private String name(Pipe pipe) {
            return switch (this) {
                case READ_INPUT -> pipe.in();
                case WRITE_OUTPUT -> pipe.out();
                case WRITE_DEAD_LETTERS -> pipe.dead();
                case READ_GROUP, WRITE_TRANSACTIONAL_ID -> pipe.group();
            };
        }
    }

    /** C33: one is missing. */
    @ParameterizedTest
    @EnumSource
    void aMissingRightIsNamed(Right missing) {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        Stream.of(Right.values()).filter(right -> right != missing).forEach(right -> grant(right, pipe));

        StopReason reason = awaitStop(start(settings(pipe, Protocol.CONSUMER), pipe.copy()));

        assertThat(reason.kind()).as(reason.message()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains(missing.name(pipe));
        grant(missing, pipe);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** C33: one is taken away in the middle of a batch; the offsets are refused, and nothing of the batch is left. */
    @ParameterizedTest
    @EnumSource(names = {"READ_INPUT", "WRITE_OUTPUT", "READ_GROUP"})
    void aRightThatIsTakenAwayIsNamed(Right lost) {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        Stream.of(Right.values()).forEach(right -> grant(right, pipe));
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);

        ExactlyOnceProcessor processor = start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            if (record.offset() == 5) {
                inTheMiddle.countDown();
                hold(taken);
            }
            outputs.send(pipe.out(), record.key(), record.value());
        });
        await(inTheMiddle);
        revoke(lost, pipe);
        taken.countDown();
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).as(reason.message()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains(lost.name(pipe));
        grant(lost, pipe);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** C34 (a): longer than the broker allows. */
    @Test
    void aTransactionTimeoutThatIsTooLongIsNamed() {
        Pipe pipe = pipe(1);
        Stream.of(Right.values()).forEach(right -> grant(right, pipe));
        ProcessorSettings.Builder settings =
                settings(pipe, Protocol.CONSUMER).consumerProperty("max.poll.interval.ms", 3_600_000);
        settings.producer().transactionTimeout(Duration.ofMinutes(16));

        StopReason reason = awaitStop(start(settings, pipe.copy()));

        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("transaction.timeout.ms", "transaction.max.timeout.ms");
    }

    private void grant(Right right, Pipe pipe) {
        get(probe().admin()
                .createAcls(List.of(binding(right, right.operation, pipe), binding(right, AclOperation.DESCRIBE, pipe)))
                .all());
    }

    private void revoke(Right right, Pipe pipe) {
        get(probe().admin()
                .deleteAcls(List.of(binding(right, right.operation, pipe).toFilter()))
                .all());
    }

    private AclBinding binding(Right right, AclOperation operation, Pipe pipe) {
        assumeTrue(target().principal().isPresent(), "the target has no ACLs");
        // Transactional ids begin with the group's name.
        PatternType pattern = right == Right.WRITE_TRANSACTIONAL_ID ? PatternType.PREFIXED : PatternType.LITERAL;
        return new AclBinding(
                new ResourcePattern(right.type, right.name(pipe), pattern),
                new AccessControlEntry(target().principal().orElseThrow(), "*", operation, AclPermissionType.ALLOW));
    }
}
