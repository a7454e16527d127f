package io.github.kafkatxn.differential;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;

/** A cluster that answers scenarios. Not thread-safe. */
final class Target implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Map<String, Asker> ASKERS = askers();
    /** What a broker answers only because the transaction before is not complete yet. */
    private static final Set<String> NOT_YET = Set.of("CONCURRENT_TRANSACTIONS", "NOT_ENOUGH_REPLICAS");

    private final String bootstrapServers;
    private final String run;
    private final Map<String, Uuid> topicIds = new HashMap<>();
    private Wire wire;

    /**
     * @param bootstrapServers of one node
     * @param run makes the names of this run differ from those of others
     */
    Target(String bootstrapServers, String run) throws IOException {
        this.bootstrapServers = bootstrapServers;
        this.run = run;
        this.wire = new Wire(bootstrapServers);
    }

    /** The requests there are. */
    static Set<String> verbs() {
        return ASKERS.keySet();
    }

    /** Creates the topics of all of them at once, which is much quicker than one after the other. */
    void prepare(List<Scenario> scenarios) throws Exception {
        List<NewTopic> topics = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            for (String topic : scenarios.get(i).topics()) {
                topics.add(new NewTopic(prefix(i) + topic, scenarios.get(i).partitions(), (short) 1));
            }
        }
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers);
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(topics).all().get();
            List<String> names = topics.stream().map(NewTopic::name).toList();
            Map<String, TopicDescription> described = Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> admin.describeTopics(names).allTopicNames().get(), Target::allLed);
            described.forEach((name, topic) -> topicIds.put(name, topic.topicId()));
        }
    }

    private static boolean allLed(Map<String, TopicDescription> topics) {
        return topics.values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null);
    }

    /** The answers to all steps, in words. */
    List<String> answers(int number, Scenario scenario) throws IOException {
        Names names = names(number);
        List<String> answers = new ArrayList<>();
        for (Step step : scenario.steps()) {
            answers.add(answer(step, names));
        }
        return answers;
    }

    /** The names of a scenario that has been prepared. */
    Names names(int number) {
        return new Names(prefix(number), topicIds);
    }

    /** {@code waits}: for the end of the transaction before. {@code until=WORD}: for an answer with this word. */
    String answer(Step step, Names names) throws IOException {
        if (step.has("waits")) {
            return Awaitility.await(step.place() + " " + step.text())
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> ask(step, names), answer -> !NOT_YET.contains(answer));
        }
        String until = step.text("until", "");
        return until.isEmpty()
                ? ask(step, names)
                : Awaitility.await(step.place() + " " + step.text())
                        .atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .until(
                                () -> ask(step, names),
                                answer -> List.of(answer.split(" ")).contains(until));
    }

    private String ask(Step step, Names names) throws IOException {
        try {
            return ASKERS.get(step.verb()).ask(step, names, wire);
        } catch (EOFException | SocketException e) {
            wire.close();
            wire = new Wire(bootstrapServers);
            return "CONNECTION_CLOSED";
        }
    }

    private String prefix(int number) {
        return run + "-" + number + "-";
    }

    private static Map<String, Asker> askers() {
        Map<String, Asker> all = new TreeMap<>();
        all.putAll(TransactionRequests.all());
        all.putAll(OffsetRequests.all());
        all.putAll(LogRequests.all());
        all.putAll(ViewRequests.all());
        return all;
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
