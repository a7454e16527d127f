package io.github.kafkatxn.apache;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ApacheKafka} looks like. Immutable; made by {@link ApacheKafka#builder()}, which checks every value
 * when it is given and names setting, value and allowed range when it refuses one.
 */
public final class ApacheKafkaSettings {
    private final int brokers;
    private final int transactionVersion;
    private final int heapMiB;
    private final Duration startTimeout;
    private final @Nullable Path libs;
    private final boolean quickStart;
    private final boolean relayed;
    private final boolean authorization;
    private final Map<String, String> users;
    private final Map<String, String> brokerProperties;
    private final Map<String, Object> clientProperties;
    private final List<String> jvmOptions;

    private ApacheKafkaSettings(Builder builder) {
        brokers = builder.brokers;
        transactionVersion = builder.transactionVersion;
        heapMiB = builder.heapMiB;
        startTimeout = builder.startTimeout;
        libs = builder.libs;
        quickStart = builder.quickStart;
        relayed = builder.relayed;
        authorization = builder.authorization;
        users = Map.copyOf(builder.users);
        brokerProperties = Map.copyOf(builder.brokerProperties);
        clientProperties = Map.copyOf(builder.clientProperties);
        jvmOptions = List.copyOf(builder.jvmOptions);
    }

    int brokers() {
        return brokers;
    }

    int transactionVersion() {
        return transactionVersion;
    }

    int heapMiB() {
        return heapMiB;
    }

    Duration startTimeout() {
        return startTimeout;
    }

    @Nullable
    Path libs() {
        return libs;
    }

    boolean quickStart() {
        return quickStart;
    }

    boolean relayed() {
        return relayed;
    }

    boolean authorization() {
        return authorization;
    }

    Map<String, String> users() {
        return users;
    }

    Map<String, String> brokerProperties() {
        return brokerProperties;
    }

    Map<String, Object> clientProperties() {
        return clientProperties;
    }

    /** Not if the coordinators' topic was set to more replicas than there are brokers: then it never comes up. */
    boolean coordinatesTransactions() {
        String replicas = brokerProperties.get("transaction.state.log.replication.factor");
        return replicas == null || Integer.parseInt(replicas) <= brokers;
    }

    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** Collects settings. For one thread; may be used for several clusters. */
    public static final class Builder {
        private static final int MAX_BROKERS = 9;
        private static final int MIN_HEAP_MIB = 128;
        private static final int MAX_HEAP_MIB = 65_536;
        private static final Duration MIN_START_TIMEOUT = Duration.ofSeconds(1);
        private static final Duration MAX_START_TIMEOUT = Duration.ofMinutes(30);
        private static final Pattern USER_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
        private static final Pattern PASSWORD = Pattern.compile("[\\x21-\\x7e&&[^\"\\\\]]{1,64}");

        private int brokers = 1;
        private int transactionVersion = 2;
        private int heapMiB = 512;
        private Duration startTimeout = Duration.ofMinutes(2);
        private @Nullable Path libs;
        private boolean quickStart;
        private boolean relayed;
        private boolean authorization;
        private final Map<String, String> users = new TreeMap<>();
        private final Map<String, String> brokerProperties = new TreeMap<>();
        private final Map<String, Object> clientProperties = new TreeMap<>();
        private final List<String> jvmOptions = new ArrayList<>();

        Builder() {}

        /**
         * Number of brokers, 1 to 9; default 1. One broker is its own controller. With more there is one process more,
         * a controller that no test can kill: any broker may go, even all of them. With three or more, topics have
         * three replicas of which two have to be in sync, so that one broker may be lost without a loss of service.
         */
        public Builder brokers(int count) {
            brokers = Allowed.range("brokers", count, 1, MAX_BROKERS);
            return this;
        }

        /**
         * The level of the feature {@code transaction.version}, 0 to 2 (KIP-890, part 2); default 2. Brokers of 3.9
         * have only 0.
         */
        public Builder transactionVersion(int level) {
            transactionVersion = Allowed.range("transactionVersion", level, 0, 2);
            return this;
        }

        /** Heap of each broker in MiB, 128 to 65536; default 512. */
        public Builder heapMiB(int mebibytes) {
            heapMiB = Allowed.range("heapMiB", mebibytes, MIN_HEAP_MIB, MAX_HEAP_MIB);
            return this;
        }

        /**
         * How long the cluster may take to come up, and a broker to come back; 1 second to 30 minutes, default 2
         * minutes.
         */
        public Builder startTimeout(Duration timeout) {
            startTimeout = Allowed.range("startTimeout", timeout, MIN_START_TIMEOUT, MAX_START_TIMEOUT);
            return this;
        }

        /**
         * The folder with the jars of the broker. Default: the system property {@code kafkatxn.apacheKafka.libs}, else
         * the folder this repository's build fills.
         */
        public Builder libs(Path folder) {
            libs = folder;
            return this;
        }

        /**
         * A broker property, which takes the place of a default of ours or of Kafka. Those that say which node is where
         * (listeners, ids, folders, quorum) are refused.
         */
        public Builder brokerProperty(String name, String value) {
            Set<String> reserved = ServerProperties.RESERVED;
            if (name.isBlank() || reserved.contains(name)) {
                throw new IllegalArgumentException("brokerProperty " + name + "=" + value
                        + ": allowed is any property of a Kafka broker but " + String.join(", ", reserved));
            }
            brokerProperties.put(name, value);
            return this;
        }

        /**
         * A property that every client needs to reach brokers with these broker properties, such as the trust store
         * where they speak TLS; part of every client configuration, before what logs a user in.
         */
        public Builder clientProperty(String name, Object value) {
            clientProperties.put(name, value);
            return this;
        }

        /**
         * Brokers compile their code quickly instead of well: half the processor time until they are up, at the price
         * of throughput later. For tests of faults, not for measurements.
         */
        public Builder quickStart() {
            quickStart = true;
            return this;
        }

        /**
         * Brokers may be paused for two minutes before the controller fences them; one that was killed comes back no
         * sooner. For tests that pause a sole broker: fenced afterwards, Kafka 4.4.0 takes its partitions for deleted
         * and completes transactions without their markers.
         */
        public Builder fencedLate() {
            return brokerProperty("broker.session.timeout.ms", "120000");
        }

        /**
         * Brokers can also be reached through a {@link Relay}, which can keep their answers back:
         * {@link ApacheKafka#relayedConfig()}. Not together with {@link #authorization()}.
         */
        public Builder relayed() {
            relayed = true;
            return this;
        }

        /** An option of the brokers' JVMs, after our own, for example {@code -XX:+UseG1GC}. */
        public Builder jvmOption(String option) {
            jvmOptions.add(Allowed.matching("jvmOption", option, Pattern.compile("-\\S.*")));
            return this;
        }

        /**
         * Clients log in (SASL/PLAIN without TLS) and Kafka's {@code StandardAuthorizer} decides: a user may do what
         * ACLs allow, and nothing without one. {@link ApacheKafka#adminConfig()} logs in as a super user.
         */
        public Builder authorization() {
            authorization = true;
            return this;
        }

        /**
         * A user who can log in; turns {@link #authorization()} on.
         *
         * @param name letters, digits, {@code _} and {@code -}, at most 64; not {@code admin}, which is the super user
         * @param password visible ASCII but quote and backslash, at most 64
         */
        public Builder user(String name, String password) {
            Allowed.matching("user", name, USER_NAME);
            if (name.equals(Login.SUPER_USER)) {
                throw new IllegalArgumentException(
                        "user " + name + ": allowed is any name but " + name + ", the super user of adminConfig()");
            }
            users.put(name, Allowed.matching("password of user " + name, password, PASSWORD));
            return authorization();
        }

        /**
         * The settings as they are now.
         *
         * @throws IllegalStateException if they do not go together
         */
        public ApacheKafkaSettings build() {
            if (relayed && authorization) {
                throw new IllegalStateException("relayed() and authorization(): allowed is one of them");
            }
            return new ApacheKafkaSettings(this);
        }

        /** Starts a cluster with these settings: {@link ApacheKafka#start(ApacheKafkaSettings)}. */
        public ApacheKafka start() {
            return ApacheKafka.start(build());
        }
    }
}
