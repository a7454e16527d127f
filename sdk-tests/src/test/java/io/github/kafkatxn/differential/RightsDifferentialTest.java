package io.github.kafkatxn.differential;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.apache.ApacheKafkaSettings;
import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where everybody logs in: a guest and a visitor, whose rights come and go, and an owner, who may do everything. */
class RightsDifferentialTest extends DifferentialTest {
    private static final int MANY = 150;
    private static final int TRANSACTION_VERSION = 2;
    private static final String OWNERS_PASSWORD = "owner-secret";
    private static final Map<String, String> PASSWORDS = Map.of(
            Access.GUEST,
            "guest-secret",
            RightsRequests.VISITOR,
            "visitor-secret",
            RightsRequests.OWNER,
            OWNERS_PASSWORD);

    private final ApacheKafka kafka;
    private final ReferenceCluster cluster;

    RightsDifferentialTest() throws Exception {
        super(KnownDifferences.none(), List.of("rights"), MANY);
        ApacheKafkaSettings.Builder settings = ApacheKafka.builder()
                .transactionVersion(TRANSACTION_VERSION)
                .quickStart()
                .brokerProperty("super.users", "User:admin;User:" + RightsRequests.OWNER);
        ClusterSettings.Builder same =
                ReferenceClusters.settings(TRANSACTION_VERSION).superUser(RightsRequests.OWNER, OWNERS_PASSWORD);
        PASSWORDS.forEach(settings::user);
        PASSWORDS.forEach(same::user);
        kafka = settings.start();
        cluster = ReferenceCluster.start(same.build());
    }

    @Override
    Access apacheKafka() {
        return new Access(kafka.adminConfig(), PASSWORDS);
    }

    /** The owner logs in to both in the same way. */
    @Override
    Access referenceCluster() {
        Map<String, Object> admin = new HashMap<>(kafka.clientConfig(RightsRequests.OWNER));
        admin.put("bootstrap.servers", cluster.bootstrapServers());
        return new Access(admin, PASSWORDS);
    }

    @Override
    void close() {
        cluster.close();
        kafka.close();
    }
}
