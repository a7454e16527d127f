package io.github.kafkatxn.apache;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Apache Kafka: one broker or several, each in a process of its own on the loopback interface.
 *
 * <pre>{@code
 * try (ApacheKafka kafka = ApacheKafka.builder().brokers(3).start()) {
 *     var producer = new KafkaProducer<>(Map.of("bootstrap.servers", kafka.bootstrapServers(), ...));
 *     kafka.kill(kafka.leader("orders", 0));
 * }
 * }</pre>
 *
 * <p><b>Life.</b> {@link #close()} ends the processes and deletes their files. If it is not called, they end with this
 * JVM: by a shutdown hook, and if this JVM is killed, because each watches a pipe whose other end closes with it. Files
 * are deleted by {@code close()} and by the hook; after a kill they remain.
 *
 * <p><b>Files.</b> In {@code target/apache-kafka/} below the working directory, or in the temporary folder if that has
 * no {@code target}. They are kept after {@link #keepLogs()}, with the system property {@code kafkatxn.keepLogs}, and
 * when the start fails.
 *
 * <p><b>Threads.</b> Safe for several. Every wait is bounded; an interrupt ends it with {@link InterruptException} and
 * the flag set. Calls that name a broker throw {@link IllegalArgumentException} if there is none of that id, and
 * {@link IllegalStateException} if it is not in the state the call needs.
 */
public final class ApacheKafka implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApacheKafka.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

    private final ApacheKafkaSettings settings;
    private final Nodes nodes;
    private final Login login;

    private ApacheKafka(ApacheKafkaSettings settings, Nodes nodes) {
        this.settings = settings;
        this.nodes = nodes;
        this.login = new Login(settings.users());
    }

    /** Settings with their defaults. */
    public static ApacheKafkaSettings.Builder builder() {
        return new ApacheKafkaSettings.Builder();
    }

    /** One broker with default settings. */
    public static ApacheKafka start() {
        return builder().start();
    }

    /**
     * Starts a cluster and waits until it serves: all brokers in, the topics of the transaction and group coordinators
     * there. Some seconds; at most the start timeout of the settings.
     *
     * @throws IllegalStateException if the jars are not found, or if a broker does not come up, with the end of its log
     */
    public static ApacheKafka start(ApacheKafkaSettings settings) {
        Deadline deadline = Deadline.after(settings.startTimeout());
        BrokerJars jars = BrokerJars.find(settings.libs());
        ApacheKafka kafka = new ApacheKafka(settings, new Launcher(settings, jars, FreePorts::pick).launch(deadline));
        kafka.awaitCoordinators(deadline);
        double seconds = deadline.elapsed().toMillis() / 1e3;
        log.info(
                "Apache Kafka {} up, {} broker(s), transaction.version {}, {}, {} s",
                jars.version(),
                settings.brokers(),
                settings.transactionVersion(),
                kafka.bootstrapServers(),
                seconds);
        return kafka;
    }

    /**
     * The cluster of one broker that the tests of this JVM share, started when first asked for and ended with the JVM.
     * There is one for each transaction version; one that was closed is replaced. It has a
     * {@linkplain ApacheKafkaSettings.Builder#quickStart quick start}. Tests that kill or pause brokers should start
     * their own.
     *
     * @param transactionVersion 0 to 2
     * @throws IllegalStateException as {@link #start(ApacheKafkaSettings)} does
     */
    public static ApacheKafka shared(int transactionVersion) {
        return SharedKafka.get(transactionVersion);
    }

    /** {@code host:port} of all brokers, separated by commas; never changes. */
    public String bootstrapServers() {
        return nodes.bootstrapServers(broker -> true);
    }

    /** The ids of all brokers, running or not: 1 to n. */
    public List<Integer> brokerIds() {
        return nodes.brokers().stream().map(node -> node.address().id()).toList();
    }

    /** Client configuration with every right: bootstrap servers, and with authorization the login of the super user. */
    public Map<String, Object> adminConfig() {
        return settings.authorization() ? clientConfig(Login.SUPER_USER) : connection(bootstrapServers());
    }

    /**
     * Client configuration of a user of the settings: bootstrap servers and login.
     *
     * @throws IllegalStateException without authorization
     * @throws IllegalArgumentException if there is no such user
     */
    public Map<String, Object> clientConfig(String user) {
        if (!settings.authorization()) {
            throw new IllegalStateException("users log in only with authorization() in the settings");
        }
        Map<String, Object> config = new HashMap<>(login.clientConfig(user));
        config.putAll(connection(bootstrapServers()));
        return config;
    }

    /**
     * The relay of a cluster with {@link ApacheKafkaSettings.Builder#relayed()}.
     *
     * @throws IllegalStateException without that setting
     */
    public Relay relay() {
        requireRelayed();
        return nodes.relay();
    }

    /**
     * Client configuration of clients that come through the {@link #relay()}.
     *
     * @throws IllegalStateException without {@link ApacheKafkaSettings.Builder#relayed()}
     */
    public Map<String, Object> relayedConfig() {
        requireRelayed();
        return connection(nodes.relayedServers());
    }

    /**
     * Kills the broker (SIGKILL) and waits until its process is gone, some milliseconds. It may be paused.
     *
     * <p>Committing returns before the markers of the transaction are written. If the broker is killed in between and
     * no other takes its partitions over, the transaction may stay open in them for ever: the coordinator of Kafka
     * 4.4.0 takes a partition without a leader for a deleted one, skips its marker and completes. Read the records
     * committed first where that matters.
     */
    public void kill(int id) {
        nodes.broker(id).kill();
        log.info("Killed broker {}", id);
    }

    /**
     * Shuts the broker down (SIGTERM), which hands its partitions to others, and waits until its process is gone: below
     * a second as a rule, 30 seconds at most.
     *
     * @throws IllegalStateException if it took longer; the broker has been killed then
     */
    public void stop(int id) {
        nodes.broker(id).stop(STOP_TIMEOUT);
        log.info("Stopped broker {}", id);
    }

    /**
     * Starts a broker again on its port and its data, and waits until it is part of the cluster, at most the start
     * timeout of the settings. A running broker is stopped first. After a kill this may take some seconds more, because
     * the controller lets the id in again only when the session of the killed process has expired.
     *
     * @throws IllegalStateException if it does not come up, with the end of its log
     */
    public void restart(int id) {
        NodeProcess broker = nodes.broker(id);
        if (broker.isAlive()) {
            stop(id);
        }
        Deadline deadline = Deadline.after(settings.startTimeout());
        broker.launch();
        Startup.await(List.of(broker), deadline);
        log.info("Restarted broker {}, {} s", id, deadline.elapsed().toMillis() / 1e3);
    }

    /**
     * Makes the broker stand still (SIGSTOP): connections stay open, nothing is answered, and after some seconds the
     * controller fences it. Needs a POSIX shell.
     */
    public void pause(int id) {
        nodes.broker(id).pause();
        log.info("Paused broker {}", id);
    }

    /** Lets a paused broker go on (SIGCONT). */
    public void resume(int id) {
        nodes.broker(id).resume();
        log.info("Resumed broker {}", id);
    }

    /**
     * The leader of a partition now, or -1 while there is none. Asks the cluster, 20 seconds at most.
     *
     * @throws org.apache.kafka.common.errors.UnknownTopicOrPartitionException if there is no such topic
     * @throws IllegalArgumentException if the topic has no such partition
     */
    public int leader(String topic, int partition) {
        return view().leader(topic, partition);
    }

    /** The broker that coordinates the transactions of this id now, or -1 while none does; 20 seconds at most. */
    public int transactionCoordinator(String transactionalId) {
        return view().transactionCoordinator(transactionalId);
    }

    /** The broker that coordinates the group of this id now, or -1 while none does; 20 seconds at most. */
    public int groupCoordinator(String groupId) {
        return view().groupCoordinator(groupId);
    }

    /** The file that the broker's process prints to; all its runs append to it. */
    public Path log(int id) {
        return nodes.broker(id).log().file();
    }

    /** Keeps the files of this cluster after {@link #close()}; for a test that failed. */
    public void keepLogs() {
        nodes.work().keep();
    }

    /** Whether {@link #close()} has not been called yet; says nothing about the brokers. */
    public boolean isOpen() {
        return nodes.isOpen();
    }

    /**
     * Kills all processes, paused ones too, and deletes the files unless they are to be kept. Below a second as a rule,
     * at most 30 seconds a broker. Works in an interrupted thread; a second call does nothing.
     */
    @Override
    public void close() {
        nodes.close();
    }

    /** For tests of this class. */
    long pid(int id) {
        return nodes.broker(id).pid();
    }

    private void requireRelayed() {
        if (!settings.relayed()) {
            throw new IllegalStateException("clients come through a relay only with relayed() in the settings");
        }
    }

    /** Closes this if they do not come. */
    private void awaitCoordinators(Deadline deadline) {
        boolean there = false;
        try {
            new ClusterView(adminConfig(), deadline.remaining())
                    .createCoordinatorTopics(settings.coordinatesTransactions());
            there = true;
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw new IllegalStateException(
                    "the brokers are up but do not coordinate within the start timeout " + deadline.timeout() + "; see "
                            + nodes.work().path(),
                    e);
        } finally {
            if (!there) {
                keepLogs();
                close();
            }
        }
    }

    private ClusterView view() {
        String serving = nodes.bootstrapServers(NodeProcess::isServing);
        if (serving.isEmpty()) {
            throw new IllegalStateException("no broker is running");
        }
        Map<String, Object> config = new HashMap<>(adminConfig());
        config.putAll(connection(serving));
        return new ClusterView(config, ANSWER_TIMEOUT);
    }

    private Map<String, Object> connection(String bootstrapServers) {
        Map<String, Object> config = new HashMap<>(settings.clientProperties());
        config.put("bootstrap.servers", bootstrapServers);
        return config;
    }
}
