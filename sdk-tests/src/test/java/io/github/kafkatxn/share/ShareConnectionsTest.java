package io.github.kafkatxn.share;

import static io.github.kafkatxn.share.ShareWork.GROUP;
import static io.github.kafkatxn.share.ShareWork.ID;
import static io.github.kafkatxn.share.ShareWork.IN;
import static io.github.kafkatxn.share.ShareWork.IN_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ShareRecord;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.producer.Transaction;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One broker, as it is told at different times. */
@Timeout(60)
class ShareConnectionsTest {

    /** It has been restarted, and is in another rack now. */
    @Test
    void aBrokerThatIsToldInTwoWaysGetsTheAcknowledgementsOfAllItsPartitions() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.cluster.moveLeader(IN_1, 0);
            work.produce(IN, 1);
            Worker.Batch before = worker.take(1);
            Transaction<String, String> transaction = work.outputsOf(before);
            assertThat(worker.send(transaction, before)).isEmpty();
            transaction.commit().orElseThrow();
            FaultRule restarted = work.cluster
                    .faults()
                    .on(ApiKeys.METADATA)
                    .clientId("producer-" + ID)
                    .everyTime()
                    .changeAnswer(
                            MetadataResponseData.class,
                            answer -> answer.brokers().forEach(broker -> broker.setRack("another")));
            work.produce(IN, 1);
            work.produce(IN_1, 1);
            Worker.Batch batch = worker.take(2);
            ShareAcknowledgements all = worker.together(batch, AcknowledgeType.ACCEPT);
            Transaction<String, String> next = work.outputsOf(batch);
            next.sendShareAcknowledgementsToTransaction(all, worker.member()).orElseThrow();
            next.commit().orElseThrow();

            assertThat(restarted.hits()).isPositive();
            assertThat(work.settled(GROUP, IN_1)).doesNotContain(ShareRecord.State.ACQUIRED);
            assertThat(work.settled(GROUP, IN)).doesNotContain(ShareRecord.State.ACQUIRED);
            assertThat(work.outputs()).containsExactlyInAnyOrder("in-0/0", "in-0/0", "in-1/0");
        }
    }
}
