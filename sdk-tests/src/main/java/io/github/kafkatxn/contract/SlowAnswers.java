package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.get;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;

/** Slow answers to one client as any broker can give them: by a quota of request time. */
final class SlowAnswers {
    /** In percent of a thread's time: less than any request takes on any machine. */
    private static final double NEXT_TO_NOTHING = 0.000_001;

    private SlowAnswers() {}

    /** From now on until the result is run. */
    static Runnable byQuota(Map<String, Object> adminConfig, String clientId) {
        set(adminConfig, clientId, NEXT_TO_NOTHING);
        return () -> set(adminConfig, clientId, null);
    }

    private static void set(Map<String, Object> adminConfig, String clientId, @Nullable Double percentage) {
        var entity = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
        var alteration = new ClientQuotaAlteration(
                entity, List.of(new ClientQuotaAlteration.Op("request_percentage", percentage)));
        try (Admin admin = Admin.create(adminConfig)) {
            get(admin.alterClientQuotas(List.of(alteration)).all());
        }
    }
}
