package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.internal.wire.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class OnDemandTest {
    private final Deadline deadline = Deadline.in(Duration.ofMinutes(1));
    private final List<String> closed = new ArrayList<>();

    @Test
    void isMadeOnceWhenItIsNeeded() {
        List<String> made = new ArrayList<>();
        OnDemand<String> onDemand = new OnDemand<>(
                () -> {
                    made.add("made");
                    return "it";
                },
                (it, until) -> closed.add(it));
        assertThat(made).isEmpty();

        assertThat(onDemand.get(deadline)).isEqualTo("it");
        assertThat(onDemand.get(deadline)).isEqualTo("it");
        onDemand.close(deadline);

        assertThat(made).hasSize(1);
        assertThat(closed).containsExactly("it");
    }

    @Test
    void isNotMadeForACloseNorAfterIt() {
        OnDemand<String> onDemand = new OnDemand<>(() -> "it", (it, until) -> closed.add(it));
        onDemand.close(deadline);

        assertThatThrownBy(() -> onDemand.get(deadline))
                .isInstanceOf(KafkaException.class)
                .hasMessage("the producer is closed");
        assertThat(closed).isEmpty();
    }

    /** A key store that is being read would be closed by it. */
    @Test
    void anInterruptIsKeptBackWhileItIsMade() {
        OnDemand<Boolean> onDemand =
                new OnDemand<>(() -> Thread.currentThread().isInterrupted(), (it, until) -> closed.add("closed"));
        Thread.currentThread().interrupt();
        boolean reached = onDemand.get(deadline);
        boolean kept = Thread.interrupted();

        assertThat(reached).isFalse();
        assertThat(kept).isTrue();
    }

    /** The close is over before it is there: whoever makes it closes it. */
    @Test
    void aCloseDoesNotWaitWhileItIsMade() {
        CompletableFuture<OnDemand<String>> self = new CompletableFuture<>();
        OnDemand<String> onDemand = new OnDemand<>(
                () -> {
                    CompletableFuture.runAsync(() -> self.join().close(deadline))
                            .join();
                    return "it";
                },
                (it, until) -> closed.add(it));
        self.complete(onDemand);

        onDemand.get(deadline);

        assertThat(closed).containsExactly("it");
    }
}
