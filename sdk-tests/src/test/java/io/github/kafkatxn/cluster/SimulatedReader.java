package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/** Reads one partition at read_committed, one request at a time, and never again what it has read. */
final class SimulatedReader {
    private final TopicPartition partition;
    private final Uuid topicId;
    private final SimulationNetwork network;
    private final SimulationLedger ledger;
    private final List<String> values = new ArrayList<>();
    private long position;

    SimulatedReader(TopicPartition partition, Uuid topicId, SimulationNetwork network, SimulationLedger ledger) {
        this.partition = partition;
        this.topicId = topicId;
        this.network = network;
        this.ledger = ledger;
    }

    TopicPartition partition() {
        return partition;
    }

    /** {@return all it has read so far} */
    List<String> values() {
        return values;
    }

    /** Asks once; without an answer it has read nothing. */
    void read() {
        PartitionData answer;
        try {
            answer = network.leader(partition).ask(node -> node.fetch(topicId, partition.partition(), position));
        } catch (UncheckedIOException e) {
            return;
        }
        Errors error = Errors.forCode(answer.errorCode());
        if (error != Errors.NONE) {
            assertThat(error.exception())
                    .as("fetch of " + partition + " from " + position)
                    .isInstanceOf(RetriableException.class);
            return;
        }
        CommittedRead read = CommittedRead.of(answer, position);
        for (CommittedRead.Value record : read.records()) {
            ledger.requireCommitted(partition, record.value());
            values.add(record.value());
        }
        position = read.next();
    }
}
