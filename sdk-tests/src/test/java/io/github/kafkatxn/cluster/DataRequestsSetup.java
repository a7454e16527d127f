package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.byId;
import static io.github.kafkatxn.cluster.DataRequests.only;
import static io.github.kafkatxn.cluster.DataRequests.produce;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two nodes with a topic of two partitions that the first node leads, and a connection to that node. */
abstract class DataRequestsSetup {
    static final String TOPIC = "t";

    ReferenceCluster cluster;
    Admin admin;
    RawClient node0;
    Uuid id;

    @BeforeEach
    void start() throws Exception {
        cluster = ReferenceCluster.start(ClusterSettings.builder().nodes(2).build());
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        id = create(TOPIC, Map.of());
        node0 = new RawClient(cluster, 0);
    }

    @AfterEach
    void stop() throws IOException {
        node0.close();
        admin.close();
        cluster.close();
    }

    Uuid create(String topic, Map<String, String> configs) throws Exception {
        var created =
                admin.createTopics(List.of(new NewTopic(topic, Map.of(0, List.of(0), 1, List.of(0))).configs(configs)));
        return created.topicId(topic).get();
    }

    PartitionProduceResponse produceTo(int partition, MemoryRecords records, int version) throws IOException {
        ProduceRequestData request = byId(produce(TOPIC, id, partition, records), version);
        return only(node0.send(request, version, ProduceResponseData.class));
    }
}
