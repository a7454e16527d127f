package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AutoClose;

/** A reference cluster on which things go wrong for processors of share groups. */
abstract class ShareFaults extends ShareContract {
    @AutoClose
    private final ReferenceClusterTarget target;

    ShareFaults(int shareVersion) {
        target = ReferenceClusterTarget.startWithShareVersion(shareVersion);
    }

    @Override
    protected KafkaTarget target() {
        return target;
    }

    ReferenceCluster cluster() {
        return target.cluster();
    }

    /**
     * Starts a processor whose first commit is not answered, however often it is repeated, until its producer has been
     * given up.
     *
     * @param committed whether the commits are handled
     * @param transform what it does
     * @return what it tells
     */
    ProcessorEvents startWithACommitInDoubt(
            Pipe pipe, boolean committed, RecordTransform<String, String, String, String> transform) {
        ProcessorEvents events = new ProcessorEvents();
        Fault commits = cluster().faults().on(ApiKeys.END_TXN).everyTime();
        FaultRule unanswered = committed ? commits.dropAfterHandling() : commits.dropBeforeHandling();
        ProcessorSettings.Builder settings = hasty(settings(pipe))
                .listener(events)
                .transactionListener(events)
                .maxRecordsPerTransaction(10);
        startShare(settings, transform);
        eventually("a producer that was given up").until(() -> events.ends().contains(Outcome.ABANDONED));
        unanswered.remove();
        return events;
    }
}
