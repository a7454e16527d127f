package io.github.kafkatxn.differential;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;

/** A cluster that answers scenarios, several at the same time once it is prepared. */
final class Target {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Access access;
    private final String run;
    private final Map<String, Uuid> topicIds = new ConcurrentHashMap<>();

    /**
     * @param access to one node
     * @param run makes the names of this run differ from those of others
     */
    Target(Access access, String run) {
        this.access = access;
        this.run = run;
    }

    /**
     * Waits for the coordinators, makes the configuration that groups begin with, which a broker heeds only some time
     * after it has said that it is set, and creates the topics of all scenarios at once, which is much quicker than one
     * after the other.
     */
    void prepare(List<Scenario> scenarios) throws Exception {
        for (Scenario ready : ScenarioFiles.read("ready.txt")) {
            answers(ready, run + "-");
        }
        for (int i = 0; i < scenarios.size(); i++) {
            answers(i, scenarios.get(i).configuration());
        }
        List<NewTopic> topics = new ArrayList<>();
        for (int i = 0; i < scenarios.size(); i++) {
            for (String topic : scenarios.get(i).topics()) {
                topics.add(new NewTopic(prefix(i) + topic, scenarios.get(i).partitions(), (short) 1));
            }
        }
        if (!topics.isEmpty()) {
            create(topics);
        }
    }

    private void create(List<NewTopic> topics) throws Exception {
        // A busy machine takes its time for hundreds of topics.
        Map<String, Object> config = new HashMap<>(access.admin());
        config.put("default.api.timeout.ms", 240_000);
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(topics).all().get();
            List<String> names = topics.stream().map(NewTopic::name).toList();
            Map<String, TopicDescription> described = Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> admin.describeTopics(names).allTopicNames().get(), Target::allLed);
            described.forEach((name, topic) -> topicIds.put(name, topic.topicId()));
            // A broker names itself the leader of a partition before it leads it.
            admin.listOffsets(latestOf(described)).all().get();
        }
    }

    private static Map<TopicPartition, OffsetSpec> latestOf(Map<String, TopicDescription> topics) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        topics.forEach((name, topic) -> topic.partitions()
                .forEach(
                        partition -> latest.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest())));
        return latest;
    }

    private static boolean allLed(Map<String, TopicDescription> topics) {
        return topics.values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null);
    }

    /** The answers to all steps of a scenario, in words. */
    List<String> answers(int number, Scenario scenario) throws IOException {
        return answers(scenario, prefix(number));
    }

    /**
     * The same, where another cluster has answered before. A broker that is not quite through with a fetch of a share
     * partition has nothing for one that does not wait: where the other has found records, this one gets time.
     */
    List<String> answers(int number, Scenario scenario, List<String> others) throws IOException {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            Step step = scenario.steps().get(i);
            boolean impatient = step.number("wait", 1) == 0
                    && ShareRecordRequests.ACQUIRED.matcher(others.get(i)).find();
            steps.add(impatient ? step.without("wait") : step);
        }
        return answers(number, new Scenario(scenario.name(), scenario.place(), steps));
    }

    /** Steps whose topics are created by themselves; {@code name} makes their names differ from those of others. */
    Conversation converse(String name, Duration patience) throws IOException {
        return new Conversation(access, new Names(run + "-" + name + "-", topicIds), patience);
    }

    private List<String> answers(Scenario scenario, String prefix) throws IOException {
        List<String> answers = new ArrayList<>();
        try (Conversation conversation = new Conversation(access, new Names(prefix, topicIds), PATIENCE)) {
            for (Step step : scenario.steps()) {
                answers.add(conversation.answer(step));
            }
        }
        return answers;
    }

    private String prefix(int number) {
        return run + "-" + number + "-";
    }
}
