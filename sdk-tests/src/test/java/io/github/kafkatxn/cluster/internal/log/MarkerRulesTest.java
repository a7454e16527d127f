package io.github.kafkatxn.cluster.internal.log;

import static io.github.kafkatxn.cluster.internal.log.ProducerRulesTest.assertAt;
import static io.github.kafkatxn.cluster.internal.log.ProducerRulesTest.assertRefused;
import static io.github.kafkatxn.cluster.internal.log.TestPartition.PID;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;

/** Markers: tables E, K and L of the broker rules and scenario C41, as far as the log decides. */
class MarkerRulesTest {
    private final TestPartition partition = new TestPartition();

    @Test
    void markersSentByHand() {
        partition.produce(PID, 5, 0);
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.marker(PID, 5, true, 2));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.marker(PID, 4, true, 2));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.marker(PID, 4, true, 0));
        assertEnds(1, 0);
        assertAt(1, partition.marker(PID, 6, true, 2));
        assertEnds(2, 2);
        assertAt(2, partition.marker(PID, 6, true, 2));
        assertEnds(3, 3);
        assertAt(3, partition.marker(PID, 6, false, 2));
        assertEnds(4, 4);
        assertAt(4, partition.marker(PID, 6, true, 0));
        assertEnds(5, 5);
        assertRefused(Errors.TRANSACTION_COORDINATOR_FENCED, partition.marker(PID, 6, true, 2, -1));
        assertAt(5, partition.marker(PID, 6, true, 2));
        assertThat(partition.log.abortedTransactions(0, 6))
                .as("a repeated marker completes nothing")
                .isEmpty();
    }

    @Test
    void aProducerNeverSeen() {
        assertAt(0, partition.marker(PID, 6, true, 2));
        assertEnds(1, 1);
        assertThat(partition.log.activeProducers()).hasSize(1);
    }

    @Test
    void underVersion1TheEpochOfTheRecordsIsEnough() {
        partition.produceV1(PID, 5, 0);
        assertAt(1, partition.marker(PID, 5, false, 0));
        assertThat(partition.log.abortedTransactions(0, 2)).containsExactly(new AbortedTransaction(PID, 0));
    }

    @Test
    void anOldMarkerDoesNotCloseANewTransaction() {
        partition.produce(PID, 5, 0);
        assertAt(1, partition.marker(PID, 6, true, 2, 7));
        assertAt(2, partition.produce(PID, 6, 0));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.marker(PID, 6, true, 2, 7));
        assertRefused(Errors.TRANSACTION_COORDINATOR_FENCED, partition.marker(PID, 7, true, 2, 6));
        assertEnds(3, 2);
        assertAt(3, partition.marker(PID, 7, true, 2, 8));
        assertEnds(4, 4);
    }

    @Test
    void theHighestEpochMayBeRepeatedWhateverIsOpen() {
        partition.produce(PID, 32766, 0);
        assertAt(1, partition.marker(PID, 32767, true, 2));
        assertAt(2, partition.marker(PID, 32767, true, 2));
        assertAt(3, partition.produce(PID + 1, 0, 0));
        assertEnds(4, 3);
    }

    @Test
    void isAControlBatch() {
        partition.produce(PID, 5, 0);
        partition.marker(PID, 6, false, 2, 9);
        List<RecordBatch> batches = new ArrayList<>();
        partition.log.batches().forEach(batches::add);
        RecordBatch marker = batches.get(1);
        assertThat(marker.isControlBatch()).isTrue();
        assertThat(marker.isTransactional()).isTrue();
        assertThat(marker.producerId()).isEqualTo(PID);
        assertThat(marker.producerEpoch()).isEqualTo((short) 6);
        assertThat(marker.partitionLeaderEpoch()).isEqualTo(3);
        Record only = marker.iterator().next();
        assertThat(only.timestamp()).isEqualTo(partition.now.get());
        EndTransactionMarker decoded = EndTransactionMarker.deserialize(only);
        assertThat(decoded.controlType()).isEqualTo(ControlRecordType.ABORT);
        assertThat(decoded.coordinatorEpoch()).isEqualTo(9);
    }

    private void assertEnds(long end, long stable) {
        assertThat(partition.log.endOffset()).isEqualTo(end);
        assertThat(partition.led.lastStableOffset()).isEqualTo(stable);
    }
}
