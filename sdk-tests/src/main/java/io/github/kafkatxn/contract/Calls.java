package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnException;
import io.github.kafkatxn.result.TxnResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;

/** What contract tests ask of results, and give to calls. */
final class Calls {
    private Calls() {}

    /** What a consumer would say of its membership. */
    static ConsumerGroupMetadata groupMetadata(String group, int generation, String memberId) {
        return groupMetadata(group, generation, memberId, Optional.empty());
    }

    /** The same of one with an instance id. */
    @SuppressWarnings("removal") // The only way to say what no consumer would say.
    static ConsumerGroupMetadata groupMetadata(
            String group, int generation, String memberId, Optional<String> instanceId) {
        return new ConsumerGroupMetadata(group, generation, memberId, instanceId);
    }

    /** Waits for a record's end, within 20 seconds. */
    static Optional<Throwable> failure(Future<RecordMetadata> sent) {
        try {
            sent.get(20, TimeUnit.SECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.ofNullable(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("a record was neither delivered nor refused", e);
        }
    }

    /** The error of a record that was refused before it reached the client. */
    static TxnError refusal(Future<RecordMetadata> sent) {
        Throwable failure = failure(sent).orElseThrow();
        assertThat(failure).isInstanceOf(TxnException.class);
        return ((TxnException) failure).error();
    }

    /** The error of a call that has to fail. */
    static TxnError error(TxnResult<?> result) {
        assertThat(result.isSuccess())
                .as("success of a call that has to fail: %s", result)
                .isFalse();
        return result.error().orElseThrow();
    }

    /** Repeats a call as long as its result says so, 30 times at most. */
    static <T> TxnResult<T> settled(Supplier<TxnResult<T>> call) {
        TxnResult<T> result = call.get();
        for (int i = 0; i < 30 && result.action().equals(Optional.of(Action.RETRY_CALL)); i++) {
            result = call.get();
        }
        return result;
    }

    /** Whether a thread waits for an answer in a method of the client. */
    static boolean isWaitingIn(Thread thread, String method) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals(method) && frame.getClassName().endsWith("KafkaProducer")) {
                return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
            }
        }
        return false;
    }

    /** Runs something on another thread once this one waits in a method of the client. */
    static <T> CompletableFuture<T> whileThisThreadWaitsIn(String method, Supplier<CompletableFuture<T>> then) {
        Thread owner = Thread.currentThread();
        return CompletableFuture.runAsync(
                        () -> eventually("a thread in " + method).until(() -> isWaitingIn(owner, method)))
                .thenCompose(reached -> then.get());
    }
}
