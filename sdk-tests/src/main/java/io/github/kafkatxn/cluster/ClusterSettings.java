package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** What a reference cluster looks like. Immutable. */
public final class ClusterSettings {
    /** The share version with transactional acknowledgements. */
    private static final int TRANSACTIONAL_SHARE = 3;

    private final int nodes;
    private final int transactionVersion;
    private final int shareVersion;
    private final Map<String, String> nodeProperties;
    private final Map<Short, Short> caps;
    private final Map<Integer, Map<Short, Short>> nodeCaps;
    private final @Nullable ManualClock clock;

    private ClusterSettings(Builder builder) {
        this.nodes = builder.nodes;
        this.transactionVersion = builder.transactionVersion;
        this.shareVersion = builder.shareVersion;
        this.nodeProperties = Map.copyOf(builder.nodeProperties);
        Map<Short, Short> shown = new HashMap<>(builder.caps);
        if (shareVersion < TRANSACTIONAL_SHARE) {
            shown.put(TxnShareAcknowledge.KEY, (short) -1);
        }
        this.caps = Map.copyOf(shown);
        Map<Integer, Map<Short, Short>> ofNodes = new HashMap<>();
        builder.nodeCaps.forEach((node, highest) -> ofNodes.put(node, Map.copyOf(highest)));
        this.nodeCaps = Map.copyOf(ofNodes);
        this.clock = builder.clock;
    }

    /** {@return a builder with one node, transaction version 2 and the defaults of a broker} */
    public static Builder builder() {
        return new Builder();
    }

    int nodes() {
        return nodes;
    }

    Map<String, String> nodeProperties() {
        return nodeProperties;
    }

    /** {@return the highest version of keys that a node is to look older in} */
    Map<Short, Short> caps(int node) {
        Map<Short, Short> all = new HashMap<>(caps);
        all.putAll(nodeCaps.getOrDefault(node, Map.of()));
        return all;
    }

    /** {@return the clock that the test moves; empty if the machine's time passes} */
    public Optional<ManualClock> clock() {
        return Optional.ofNullable(clock);
    }

    Map<String, Short> features() {
        return Map.of(
                "transaction.version", (short) transactionVersion, "group.version", (short) 1, "share.version", (short)
                        shareVersion);
    }

    /** Makes settings. Values are checked when they are given. */
    public static final class Builder {
        private final Map<String, String> nodeProperties = new HashMap<>();
        private final Map<Short, Short> caps = new HashMap<>();
        private final Map<Integer, Map<Short, Short>> nodeCaps = new TreeMap<>();
        private final Map<String, String> passwords = new HashMap<>();
        private final Set<String> superUsers = new TreeSet<>(Set.of(NodeSettings.NODE_USER));
        private int nodes = 1;
        private int transactionVersion = 2;
        private int shareVersion = 2;
        private @Nullable ManualClock clock;

        private Builder() {}

        /**
         * How many nodes.
         *
         * @param count 1 to 100; default 1
         * @return this
         */
        public Builder nodes(int count) {
            this.nodes = within("nodes", count, 1, 100);
            return this;
        }

        /**
         * The finalized level of the feature {@code transaction.version}, by which producers choose their protocol.
         * {@link org.apache.kafka.clients.admin.Admin#updateFeatures} changes it while the cluster runs.
         *
         * @param version 0, 1 or 2; default 2
         * @return this
         */
        public Builder transactionVersion(int version) {
            this.transactionVersion = within("transactionVersion", version, 0, 2);
            return this;
        }

        /**
         * The finalized level of the feature {@code share.version}: 0 without share groups, 1 and 2 with them as Apache
         * Kafka 4.4.0 has them, 3 with acknowledgements in a producer's transaction (KIP-1289, a draft that no released
         * broker has): only then the nodes list TxnShareAcknowledge, API key 95.
         *
         * @param version 0 to 3; default 2
         * @return this
         */
        public Builder shareVersion(int version) {
            this.shareVersion = within("shareVersion", version, 0, TRANSACTIONAL_SHARE);
            return this;
        }

        /**
         * A property of the nodes, by its name in a broker's configuration.
         *
         * @param name its name; one that no node would heed is refused
         * @param value its value; one that is none of this property is refused
         * @return this
         */
        public Builder nodeProperty(String name, Object value) {
            NodeSettings.requireSettable(name, value.toString());
            nodeProperties.put(name, value.toString());
            return this;
        }

        /**
         * All nodes look older: they do not list versions of a key above this one, refuse them, and do not use them
         * themselves.
         *
         * @param key the API key
         * @param highest the highest version; -1 hides the key
         * @return this
         */
        public Builder cap(ApiKeys key, int highest) {
            caps.put(key.id, version(key, highest));
            return this;
        }

        /**
         * One node looks older, as in a cluster that is being upgraded. Goes before what all nodes have.
         *
         * @param node its id
         * @param key the API key
         * @param highest the highest version; -1 hides the key
         * @return this
         */
        public Builder cap(int node, ApiKeys key, int highest) {
            nodeCaps.computeIfAbsent(node, id -> new TreeMap<>()).put(key.id, version(key, highest));
            return this;
        }

        /**
         * The time of the cluster, moved by the test.
         *
         * @param manualClock the clock; without one, the machine's time passes
         * @return this
         */
        public Builder clock(ManualClock manualClock) {
            this.clock = manualClock;
            return this;
        }

        /**
         * A user with no right but what ACLs give. With the first user everybody has to log in (SASL_PLAINTEXT,
         * mechanism PLAIN), and the nodes ask ACLs who may do what.
         *
         * @param name its name; the principal is {@code User:name}
         * @param password its password
         * @return this
         */
        public Builder user(String name, String password) {
            if (name.isEmpty() || name.equals(NodeSettings.NODE_USER)) {
                throw new IllegalArgumentException("user \"" + name + "\": needs a name that is not the nodes' own");
            }
            passwords.put(name, password);
            return this;
        }

        /**
         * A user who may do everything. Everybody has to log in, as with {@link #user(String, String)}.
         *
         * @param name its name
         * @param password its password
         * @return this
         */
        public Builder superUser(String name, String password) {
            superUsers.add(name);
            return user(name, password);
        }

        /** {@return the settings} */
        public ClusterSettings build() {
            nodeCaps.keySet().forEach(node -> within("node of a cap", node, 0, nodes - 1));
            if (!passwords.isEmpty()) {
                nodeProperties.putIfAbsent(
                        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
                nodeProperties.put(
                        "super.users", superUsers.stream().map("User:"::concat).collect(Collectors.joining(";")));
                passwords.forEach((name, password) -> nodeProperties.put(NodeSettings.USER_PREFIX + name, password));
                nodeProperties.put(
                        NodeSettings.USER_PREFIX + NodeSettings.NODE_USER,
                        Uuid.randomUuid().toString());
            }
            return new ClusterSettings(this);
        }

        private static short version(ApiKeys key, int highest) {
            return (short) within("highest version of " + key, highest, -1, key.latestVersion());
        }

        private static int within(String name, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " is " + value + ": allowed are " + min + " to " + max);
            }
            return value;
        }
    }
}
