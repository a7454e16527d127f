package io.github.kafkatxn.processor;

import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the cluster can do for a share group, and how the group is set up there. Asked for once, by the first lane;
 * shared by the lanes.
 */
final class ShareTerms {
    private static final Logger LOG = LoggerFactory.getLogger(ShareProcessor.class);
    private static final String SHARE = "share.version";
    private static final String TRANSACTION = "transaction.version";
    private static final int SHARE_GROUPS = 1;
    private static final int SHARE_ACKNOWLEDGEMENTS = 3;
    private static final int IMPLICIT_ADD = 2;
    private static final String DELIVERIES = "share.delivery.count.limit";
    private static final String RESET = "share.auto.offset.reset";
    private static final String ISOLATION = "share.isolation.level";

    private final ProcessorSettings settings;
    private final ClusterQuestions cluster;
    private volatile @Nullable Guarantee guarantee;

    ShareTerms(ProcessorSettings settings, ClusterQuestions cluster) {
        this.settings = settings;
        this.cluster = cluster;
    }

    /** {@return what the cluster can promise; nothing before it was asked} */
    Optional<Guarantee> guarantee() {
        return Optional.ofNullable(guarantee);
    }

    /**
     * Asks the cluster, and says in the log what comes of it.
     *
     * @return why a processor cannot work with it, or has to ask again ({@code RETRY_CALL}); null if it can
     */
    synchronized @Nullable TxnError check() {
        if (guarantee != null) {
            return null;
        }
        try {
            String missing = missing();
            if (missing != null && !settings.atLeastOnce()) {
                return failure(new MissingCapabilityException(
                        "the cluster cannot take share acknowledgements into a transaction (KIP-1289): it lacks "
                                + missing
                                + ". Exactly once needs that; with atLeastOnce() the processor works without"));
            }
            TxnError unfit = checkGroup();
            if (unfit != null) {
                return unfit;
            }
            tell(missing);
            guarantee = missing == null ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
            return null;
        } catch (KafkaException e) {
            return failure(e);
        }
    }

    /** {@return what exactly-once needs and is not there, or null} */
    private @Nullable String missing() {
        Map<String, FinalizedVersionRange> features = cluster.get(
                        cluster.client().describeFeatures().featureMetadata(), System.nanoTime(), cluster.limit())
                .finalizedFeatures();
        int share = level(features, SHARE);
        if (share < SHARE_GROUPS) {
            throw new MissingCapabilityException(
                    "the cluster has no share groups (KIP-932): " + SHARE + " is " + share);
        }
        if (share < SHARE_ACKNOWLEDGEMENTS) {
            return SHARE + " " + SHARE_ACKNOWLEDGEMENTS + " (it is " + share + ")";
        }
        int transaction = level(features, TRANSACTION);
        return transaction < IMPLICIT_ADD ? TRANSACTION + " " + IMPLICIT_ADD + " (it is " + transaction + ")" : null;
    }

    private static int level(Map<String, FinalizedVersionRange> features, String name) {
        FinalizedVersionRange range = features.get(name);
        return range == null ? 0 : range.maxVersionLevel();
    }

    /** Who may not see the settings of the group may work in it all the same. */
    private @Nullable TxnError checkGroup() {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, settings.groupId());
        Config config;
        try {
            Map<ConfigResource, Config> all = cluster.get(
                    cluster.client().describeConfigs(List.of(group)).all(), System.nanoTime(), cluster.limit());
            config = all.get(group);
        } catch (KafkaException e) {
            LOG.warn("{}: the settings of the group cannot be seen: {}", settings.laneName(0), e.getMessage());
            return null;
        }
        Collection<ConfigEntry> entries = config == null ? List.of() : config.entries();
        for (ConfigEntry entry : entries) {
            String value = String.valueOf(entry.value());
            if (entry.name().equals(DELIVERIES) && isAtMost(value, settings.maxDeliveries())) {
                return failure(new ConfigException("maxDeliveries=" + settings.maxDeliveries() + " must be less than "
                        + DELIVERIES + "=" + value + " of the group " + settings.groupId()
                        + ": else the broker archives a record that could not be dead-lettered at once"));
            }
            if (entry.name().equals(ISOLATION) && !value.equals("read_committed")) {
                warn(ISOLATION, value, "records of transactions that are aborted are processed too", "read_committed");
            }
            if (entry.name().equals(RESET) && value.equals("latest")) {
                warn(RESET, value, "what was there before the group first started is skipped", "earliest");
            }
        }
        return null;
    }

    private void warn(String name, String value, String consequence, String better) {
        LOG.warn(
                "{}: the group {} has {}={}: {}. To change that: kafka-configs.sh --alter --group {} --add-config {}={}",
                settings.laneName(0),
                settings.groupId(),
                name,
                value,
                consequence,
                settings.groupId(),
                name,
                better);
    }

    private void tell(@Nullable String missing) {
        if (missing == null) {
            LOG.info("{}: share group {}, exactly once", settings.laneName(0), settings.groupId());
        } else {
            LOG.warn(
                    "{}: share group {}, at least once: the cluster lacks {}",
                    settings.laneName(0),
                    settings.groupId(),
                    missing);
        }
    }

    private static boolean isAtMost(String value, int most) {
        try {
            return Integer.parseInt(value) <= most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static TxnError failure(KafkaException e) {
        return ErrorClassifier.classify(Operation.INIT, e, Condition.NEW);
    }
}
