package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.InputTopics.Answers;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that an input topic has been deleted and created again: every offset of the old one then names a record of
 * the new one, which nobody has seen. Neither the consumer nor the broker tells: a commit by name is accepted.
 *
 * <p>Knows of each partition of a lane the id that its topic had before the position of the partition was looked up;
 * that id goes with the offsets. While it is not known, a partition is not to be read. Asks for the present ids where a
 * topic can have been exchanged unnoticed: after offsets that nobody has compared the ids of, after offsets that were
 * refused, and when a topic that was gone gives records again.
 */
final class TopicWatch {
    /** What the cluster says of topics that were asked about. */
    enum Answer {
        SAME,
        CHANGED,
        NONE
    }

    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    /** The group waits while partitions are assigned; what is not answered by then is asked again outside. */
    private static final Duration WHILE_ASSIGNED = Duration.ofSeconds(2);

    private final String lane;
    private final InputTopics topics;
    private final Map<TopicPartition, Uuid> known = new HashMap<>();
    private final Set<TopicPartition> unknown = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final Set<TopicPartition> recreated = new HashSet<>();

    TopicWatch(String lane, InputTopics topics) {
        this.lane = lane;
        this.topics = topics;
    }

    /** These partitions begin at their committed offsets, which are looked up afterwards. Asks what topics they are. */
    void assigned(Collection<TopicPartition> partitions) {
        unknown.addAll(partitions);
        // Not those that have been unknown before: their positions were looked up before this answer.
        learn(Set.copyOf(partitions), WHILE_ASSIGNED);
    }

    /** These partitions are somebody else's: what is known of them says nothing if they come back. */
    void released(Collection<TopicPartition> partitions) {
        known.keySet().removeAll(partitions);
        unknown.removeAll(partitions);
        recreated.removeAll(partitions);
    }

    /**
     * Asks again what was not answered when partitions were assigned.
     *
     * @return the partitions whose topics are known now
     * @throws KafkaException if there still is no answer of any
     */
    Set<TopicPartition> learn() {
        Set<TopicPartition> learned = new HashSet<>(unknown);
        Optional<KafkaException> unanswered = learn(Set.copyOf(unknown), topics.limit());
        learned.removeAll(unknown);
        if (learned.isEmpty() && unanswered.isPresent()) {
            throw unanswered.get();
        }
        return learned;
    }

    /** What was learned of these partitions is of no use: it is to be asked for again. */
    void unlearn(Set<TopicPartition> partitions) {
        known.keySet().removeAll(partitions);
        unknown.addAll(partitions);
    }

    private Optional<KafkaException> learn(Set<TopicPartition> partitions, Duration limit) {
        if (partitions.isEmpty()) {
            return Optional.empty();
        }
        Answers said = topics.ids(names(partitions), limit);
        said.ids()
                .forEach((topic, id) -> id.ifPresent(now -> {
                    gone.remove(topic);
                    for (TopicPartition partition : of(topic, partitions)) {
                        unknown.remove(partition);
                        known.put(partition, now);
                    }
                    compare(topic, now);
                }));
        return said.failure();
    }

    /** {@return partitions that are assigned, of topics that nobody has told the ids of} */
    Set<TopicPartition> unknown() {
        return unknown;
    }

    /** {@return the ids that the topics of these partitions had before their positions were looked up} */
    Map<String, Uuid> ids(Set<TopicPartition> partitions) {
        Map<String, Uuid> ids = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Uuid id = known.get(partition);
            if (id != null) {
                ids.put(partition.topic(), id);
            }
        }
        return ids;
    }

    /**
     * {@return whether partitions are to start over, or were polled of a topic that was gone and is another one now}
     */
    boolean isRecreated(Set<TopicPartition> polled) {
        return !recreated.isEmpty()
                || (!gone.isEmpty()
                        && polled.stream().anyMatch(partition -> gone.contains(partition.topic()))
                        && compare(polled) == Answer.CHANGED);
    }

    /** Asks whether one of these topics is another one now, and waits for the answer. */
    Answer compare(Set<TopicPartition> partitions) {
        Answers said = topics.ids(names(partitions), topics.limit());
        boolean answered = said.failure().isEmpty();
        for (Map.Entry<String, Optional<Uuid>> one : said.ids().entrySet()) {
            String topic = one.getKey();
            if (one.getValue().isEmpty()) {
                gone.add(topic);
            } else {
                gone.remove(topic);
                answered &= compare(topic, one.getValue().get());
            }
        }
        if (partitions.stream().anyMatch(recreated::contains)) {
            return Answer.CHANGED;
        }
        return answered ? Answer.SAME : Answer.NONE;
    }

    /** {@return whether this says something: where some brokers know no ids, zero does not} */
    private boolean compare(String topic, Uuid now) {
        boolean says = true;
        for (TopicPartition partition : of(topic, known.keySet())) {
            Uuid before = known.getOrDefault(partition, now);
            if (before.equals(Uuid.ZERO_UUID)) {
                known.put(partition, now);
            } else if (now.equals(Uuid.ZERO_UUID)) {
                says = false;
            } else if (!before.equals(now)) {
                known.put(partition, now);
                recreated.add(partition);
            }
        }
        return says;
    }

    /** {@return which of these partitions are of topics that were not there when they were last asked about} */
    Set<TopicPartition> gone(Set<TopicPartition> partitions) {
        Set<TopicPartition> affected = new HashSet<>(partitions);
        affected.removeIf(partition -> !gone.contains(partition.topic()));
        return affected;
    }

    /** {@return the partitions of topics that are other ones now; they count as known from here on} */
    Set<TopicPartition> takeRecreated() {
        Set<TopicPartition> taken = Set.copyOf(recreated);
        if (!taken.isEmpty()) {
            LOG.warn("{}: topics were deleted and created again; going on from the start of {}", lane, taken);
            recreated.clear();
        }
        return taken;
    }

    private static Set<TopicPartition> of(String topic, Set<TopicPartition> partitions) {
        Set<TopicPartition> found = new HashSet<>(partitions);
        found.removeIf(partition -> !partition.topic().equals(topic));
        return found;
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        Set<String> names = new HashSet<>();
        partitions.forEach(partition -> names.add(partition.topic()));
        return names;
    }
}
