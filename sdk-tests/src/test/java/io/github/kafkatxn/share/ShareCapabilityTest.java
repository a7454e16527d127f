package io.github.kafkatxn.share;

import static io.github.kafkatxn.cluster.ShareRecord.State.ACQUIRED;
import static io.github.kafkatxn.share.ShareWork.GROUP;
import static io.github.kafkatxn.share.ShareWork.IN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clusters that cannot take acknowledgements into a transaction: that is said, and the transaction is none the worse.
 */
@Timeout(120)
class ShareCapabilityTest {

    @ParameterizedTest
    @CsvSource({"2, 2, 'API key 95 (TxnShareAcknowledge) and share.version 3 (it is 2)'", "3, 1, transaction.version 2"
    })
    void theClusterLacksSomething(int shareVersion, int transactionVersion, String missing) {
        try (ShareWork work = new ShareWork(shareVersion, transactionVersion, Duration.ofSeconds(20));
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 2);
            Worker.Batch batch = worker.take(2);
            Transaction<String, String> transaction = work.outputsOf(batch);
            Optional<TxnError> error = worker.send(transaction, batch);

            assertLacks(error, missing);
            assertThat(transaction.failure()).isEmpty();
            assertThat(work.retries()).isEmpty();
            assertThat(work.states(GROUP, IN)).startsWith(ACQUIRED, ACQUIRED);
            transaction.commit().orElseThrow();
            assertThat(work.outputs()).containsExactly("in-0/0", "in-0/1");
        }
    }

    /** Another API may get the key: a broker has to have the feature as well, which may be raised while it runs. */
    @Test
    void theKeyAloneIsNotEnough() {
        try (ShareWork work = new ShareWork();
                Worker worker = work.worker(GROUP)) {
            work.produce(IN, 1);
            Worker.Batch batch = worker.take(1);
            FaultRule older = work.cluster
                    .faults()
                    .on(ApiKeys.API_VERSIONS)
                    .clientId("producer-" + ShareWork.ID)
                    .everyTime()
                    .changeAnswer(
                            ApiVersionsResponseData.class,
                            answer -> answer.finalizedFeatures()
                                    .find("share.version")
                                    .setMaxVersionLevel((short) 2));
            Transaction<String, String> transaction = work.begin();

            assertLacks(worker.send(transaction, batch), "lacks share.version 3 (it is 2)");
            assertThat(work.requests()).isEmpty();
            older.remove();
            assertThat(worker.send(transaction, batch)).isEmpty();
            transaction.commit().orElseThrow();
            assertThat(work.settled(GROUP, IN)).isEmpty();
        }
    }

    /** The real one lists no key 95, and hangs up on whoever uses it nevertheless. */
    @Test
    void aReleasedBrokerLacksIt() throws Exception {
        Map<String, Object> config = ApacheKafka.shared(2).adminConfig();
        String in = "in-" + UUID.randomUUID();
        String out = "out-" + UUID.randomUUID();
        String group = "group-" + UUID.randomUUID();
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(new NewTopic(in, 1, (short) 1), new NewTopic(out, 1, (short) 1)))
                    .all()
                    .get();
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, group),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        Map<String, Object> ofConsumer = new HashMap<>(config);
        ofConsumer.put("group.id", group);
        ProducerSettings settings = ProducerSettings.builder()
                .properties(config)
                .transactionalId("id-" + UUID.randomUUID())
                .build();
        try (TransactionalProducer<String, String> producer =
                        TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
                Worker worker = new Worker(TransactionalShareConsumer.create(
                        ofConsumer, new StringDeserializer(), new StringDeserializer()))) {
            producer.init().orElseThrow();
            Transaction<String, String> input = producer.beginTransaction().orElseThrow();
            ShareWork.send(input, new TopicPartition(in, 0), "record");
            input.commit().orElseThrow();
            worker.consumer().subscribe(List.of(in));
            Worker.Batch batch = worker.take(1);
            Transaction<String, String> transaction =
                    producer.beginTransaction().orElseThrow();
            ShareWork.send(transaction, new TopicPartition(out, 0), "output");

            assertLacks(worker.send(transaction, batch), "API key 95");
            transaction.commit().orElseThrow();

            // At least once, then: the acknowledgements are there to be sent otherwise.
            batch.acknowledgements().forEach(worker.consumer()::takeBack);
            worker.consumer().acknowledge(batch.records().get(0), AcknowledgeType.ACCEPT);
            assertThat(worker.consumer().commitSync(Duration.ofSeconds(10)).values())
                    .isNotEmpty()
                    .allMatch(each -> each.isEmpty());
        }
    }

    private static void assertLacks(Optional<TxnError> error, String missing) {
        assertThat(error).get().satisfies(each -> {
            assertThat(each.category()).isEqualTo(ErrorCategory.INVALID_CONFIGURATION);
            assertThat(each.action()).isEqualTo(Action.STOP);
            assertThat(each.message()).contains(missing);
        });
    }
}
