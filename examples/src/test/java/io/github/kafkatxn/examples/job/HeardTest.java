package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Guarantee;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class HeardTest {
    private final Heard heard = new Heard();

    @Test
    void keepsTheLastWholeReport() {
        heard.hear("report records=5 end");
        heard.hear("report records=7 transactions=2 end");
        heard.hear("report records=1");
        assertThat(heard.tally().get(Tally.RECORDS)).isEqualTo(7);
        assertThat(heard.tally().get(Tally.TRANSACTIONS)).isEqualTo(2);
    }

    @Test
    void knowsWhatItPromises() {
        assertThat(heard.guarantee()).isEmpty();
        heard.hear(Instance.STARTED + Guarantee.AT_LEAST_ONCE.name());
        assertThat(heard.guarantee()).contains(Guarantee.AT_LEAST_ONCE);
    }

    @Test
    void knowsARecordThatWasDeliveredLater() {
        TopicPartition partition = new TopicPartition("a-topic", 3);
        heard.hear(Instance.AGAIN + new Delivery(partition, 42, 2));
        assertThat(heard.hasAfter(new Delivery(partition, 42, 1))).isTrue();
        assertThat(heard.hasAfter(new Delivery(partition, 42, 2))).isFalse();
        assertThat(heard.hasAfter(new Delivery(partition, 41, 1))).isFalse();
        assertThat(heard.hasAfter(new Delivery(new TopicPartition("a-topic", 2), 42, 1)))
                .isFalse();
    }

    @Test
    void knowsWhatStandsStillAndWhyItStopped() {
        assertThat(heard.held()).isEmpty();
        Held held = new Held("group-1-0-1", new Delivery(new TopicPartition("a-topic", 3), 42, 2));
        heard.hear(Instance.HOLDING + held);
        heard.hear("something else");
        heard.hear("stopped REQUESTED The processor was asked to stop.");
        assertThat(heard.held()).contains(held);
        assertThat(heard.stopped()).contains("REQUESTED");
    }
}
