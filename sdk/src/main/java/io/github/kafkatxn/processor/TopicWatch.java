package io.github.kafkatxn.processor;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that an input topic has been deleted and created again: every offset of the old one then names a record of
 * the new one, which nobody has seen. Neither the consumer nor the broker tells: a commit by name is accepted.
 *
 * <p>Knows the ids that a lane's assignment was made under, which go with the offsets. Asks for the present ones where
 * a topic can have been exchanged unnoticed: after offsets that nobody has compared the ids of, after offsets that were
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

    private final String lane;
    private final InputTopics topics;
    private final Map<String, Uuid> known = new HashMap<>();
    private final Set<String> toLearn = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final Set<String> recreated = new HashSet<>();

    TopicWatch(String lane, InputTopics topics) {
        this.lane = lane;
        this.topics = topics;
    }

    /** These partitions begin at their committed offsets, whatever topic that is. */
    void assigned(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> toLearn.add(partition.topic()));
    }

    /**
     * {@return whether the ids of the topics are known} Without them nothing would tell that a topic is another one by
     * the time the offsets of a batch are sent.
     */
    boolean knowsTopics() {
        learn();
        return toLearn.isEmpty();
    }

    /** {@return whether what was polled is of another topic than the one before, of the same name} */
    boolean isRecreated(Set<TopicPartition> polled) {
        return !gone.isEmpty()
                && polled.stream().anyMatch(partition -> gone.contains(partition.topic()))
                && compare(polled) == Answer.CHANGED;
    }

    /** {@return the ids that the topics of these partitions had when their records were polled} */
    Map<String, Uuid> ids(Set<TopicPartition> partitions) {
        Map<String, Uuid> ids = new HashMap<>(known);
        ids.keySet().retainAll(names(partitions));
        return ids;
    }

    /** Asks whether one of these topics is another one now, and waits for the answer. */
    Answer compare(Set<TopicPartition> partitions) {
        Set<String> names = names(partitions);
        Map<String, Optional<Uuid>> ids = topics.ids(names);
        ids.forEach(this::compare);
        if (names.stream().anyMatch(recreated::contains)) {
            return Answer.CHANGED;
        }
        return ids.size() == names.size() ? Answer.SAME : Answer.NONE;
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        Set<String> names = new HashSet<>();
        partitions.forEach(partition -> names.add(partition.topic()));
        return names;
    }

    /** {@return the partitions of topics that are other ones now; they count as known from here on} */
    Set<TopicPartition> takeRecreated(Set<TopicPartition> partitions) {
        if (recreated.isEmpty()) {
            return Set.of();
        }
        LOG.warn("{}: topics {} were deleted and created again; going on from their start", lane, recreated);
        Set<TopicPartition> affected = new HashSet<>(partitions);
        affected.removeIf(partition -> !recreated.contains(partition.topic()));
        recreated.clear();
        return affected;
    }

    private void learn() {
        if (!toLearn.isEmpty()) {
            topics.ids(toLearn).forEach((topic, id) -> {
                known.remove(topic);
                gone.remove(topic);
                toLearn.remove(topic);
                id.ifPresent(uuid -> known.put(topic, uuid));
            });
        }
    }

    private void compare(String topic, Optional<Uuid> now) {
        if (now.isEmpty()) {
            gone.add(topic);
            return;
        }
        Uuid before = known.put(topic, now.get());
        gone.remove(topic);
        if (before != null && !before.equals(now.get())) {
            recreated.add(topic);
        }
    }
}
