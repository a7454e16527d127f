package io.github.kafkatxn.differential;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What three producers, two groups and whoever creates and deletes topics may do next: mostly what makes sense, and
 * often enough what does not. It learns from the answers.
 */
final class RandomSteps {
    static final int PARTITIONS = 3;
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final List<String> GROUPS = List.of("g", "h");
    private static final List<String> TOPICS = List.of("x", "y");

    private final SplittableRandom random;
    private final Map<String, Integer> sequences = new HashMap<>();
    private final Set<String> topics = new HashSet<>();

    RandomSteps(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** What everything else needs. */
    List<String> first() {
        List<String> steps = new ArrayList<>();
        TOPICS.forEach(topic -> steps.add(createTopic(topic)));
        IDS.forEach(id -> steps.add("Init v5 id=" + id));
        return steps;
    }

    /** The next requests: one, and what makes its effect complete. */
    List<String> next() {
        int dice = random.nextInt(100);
        String id = one(IDS);
        if (dice < 34) {
            return List.of(produce(id));
        }
        if (dice < 44) {
            return List.of("AddPartitions v" + version(0, 5) + who(id) + where() + sometimes(5, " verifyOnly", ""));
        }
        if (dice < 49) {
            return List.of("AddOffsets v" + version(0, 4) + who(id) + " g=" + one(GROUPS));
        }
        if (dice < 61) {
            int version = version(0, 6);
            return List.of("TxnOffsetCommit v" + version + who(id) + offset() + (version < 3 ? "" : member()));
        }
        if (dice < 66) {
            return List.of("OffsetCommit v" + version(2, 10) + offset() + member());
        }
        if (dice < 72) {
            int version = version(1, 10);
            return List.of("OffsetFetch v" + version + " g=" + one(GROUPS) + where()
                    + (version < 7 ? "" : sometimes(50, " stable", "")) + sometimes(10, " stale", ""));
        }
        if (dice < 89) {
            return List.of(
                    "EndTxn v" + version(0, 5) + who(id) + sometimes(60, " COMMIT", " ABORT"),
                    "Describe v0 settled id=" + id);
        }
        if (dice < 96) {
            return List.of(init(id), "Describe v0 settled id=" + id);
        }
        return List.of(topic(one(TOPICS)));
    }

    /** Requests that show all there is. */
    List<String> look() {
        List<String> steps = new ArrayList<>();
        IDS.forEach(id -> steps.add("Describe v0 id=" + id));
        for (String topic : TOPICS) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                String place = " topic=" + topic + " p" + partition;
                steps.add("Producers v0" + place);
                steps.add("Offsets v8" + place);
                steps.add("Fetch v" + version(4, 18) + place + sometimes(50, " uncommitted", ""));
            }
            for (String group : GROUPS) {
                steps.add("OffsetFetch v" + version(7, 10) + " g=" + group + " topic=" + topic + " p0,1,2"
                        + sometimes(50, " stable", ""));
            }
        }
        return steps;
    }

    /** What the next steps should know. */
    void answered(Step step, String answer) {
        String topic = step.text("topic", "topic");
        switch (step.verb().name()) {
            case "CreateTopic" -> topics.add(topic);
            case "DeleteTopic" -> {
                topics.remove(topic);
                sequences.keySet().removeIf(key -> key.contains(topic));
            }
            case "Init" -> forget(step, answer);
            case "EndTxn" -> {
                if (step.version() == 5) {
                    forget(step, answer);
                }
            }
            case "Produce" -> {
                if (answer.startsWith("NONE") && step.value("s").isPresent()) {
                    sequences.put(
                            key(step.text("id", "t"), topic, step.partitions().get(0)),
                            step.number("s", 0) + step.number("n", 1));
                }
            }
            default -> {
                // changes nothing that matters here
            }
        }
    }

    /** A new epoch begins with sequence 0. */
    private void forget(Step step, String answer) {
        if (answer.startsWith("NONE ")) {
            sequences.keySet().removeIf(key -> key.startsWith(step.text("id", "t") + " "));
        }
    }

    private String produce(String id) {
        String topic = one(TOPICS);
        int partition = random.nextInt(PARTITIONS);
        String place = " topic=" + topic + " p" + partition + sometimes(20, " n" + (1 + random.nextInt(3)), "")
                + sometimes(4, " stale", "");
        int version = version(3, 13);
        if (likely(3)) {
            return "Produce v" + version + " plain" + place;
        }
        int next = sequences.getOrDefault(key(id, topic, partition), 0);
        int sequence = Math.max(0, likely(85) ? next : next + random.nextInt(4) - 2);
        // Of a later epoch it would be taken, and no marker of the transaction ever after.
        return likely(4)
                ? "Produce v" + version + " id=" + id + " pid=of-" + id + " idempotent s" + sequence + place
                : "Produce v" + version + who(id) + " s" + sequence + place;
    }

    private String init(String id) {
        return "Init v" + version(3, 5) + (likely(50) ? " id=" + id : expecting(id)) + sometimes(5, " timeout=0", "");
    }

    private String expecting(String id) {
        return " id=" + id + " pid=of-" + (likely(90) ? id : one(IDS)) + " e=" + epoch();
    }

    private String topic(String topic) {
        return topics.contains(topic)
                ? "DeleteTopic v6 topic=" + topic + " partitions=" + PARTITIONS + " groups=" + String.join(",", GROUPS)
                : createTopic(topic);
    }

    private static String createTopic(String topic) {
        return "CreateTopic v7 topic=" + topic + " partitions=" + PARTITIONS;
    }

    /** Mostly the producer as it is. */
    private String who(String id) {
        return " id=" + (likely(97) ? id : "nobody")
                + sometimes(4, " pid=of-" + one(IDS), " pid=of-" + id)
                + sometimes(90, "", " e=" + epoch());
    }

    private String epoch() {
        return likely(60) ? "last" : likely(50) ? "last-1" : likely(50) ? "last+1" : "0";
    }

    private String offset() {
        return " g=" + one(GROUPS) + where() + " offset=" + random.nextInt(100) + sometimes(5, " stale", "");
    }

    private String member() {
        return sometimes(5, " gen=" + random.nextInt(3) + " member=m", "");
    }

    private String where() {
        String partitions = likely(70) ? "" + random.nextInt(PARTITIONS) : likely(80) ? "0,1" : "1,99";
        return " topic=" + one(TOPICS) + " p" + partitions;
    }

    private int version(int oldest, int newest) {
        return likely(40) ? newest : random.nextInt(oldest, newest + 1);
    }

    private boolean likely(int percent) {
        return random.nextInt(100) < percent;
    }

    private String sometimes(int percent, String word, String otherwise) {
        return likely(percent) ? word : otherwise;
    }

    private String one(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static String key(String id, String topic, int partition) {
        return id + " " + topic + " " + partition;
    }
}
