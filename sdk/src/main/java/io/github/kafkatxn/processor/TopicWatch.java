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
 *
 * <p>A broker may lag behind and tell the id that a topic had before. So another id counts only once it has been told
 * for a while and nothing else; and where it was the first that was heard, which nothing was committed with yet, the
 * committed offsets are asked for again, instead of starting over what may have been processed.
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

    /** What is told for so long is not what a broker tells that lags behind. */
    private static final Duration CERTAIN = Duration.ofSeconds(2);

    private static final Duration TICK = Duration.ofMillis(100);

    private final String lane;
    private final InputTopics topics;
    private final StopSignal stop;
    private final Map<TopicPartition, Uuid> known = new HashMap<>();

    /** What was known of partitions that went away, or that it was of no use for. */
    private final Map<TopicPartition, Uuid> former = new HashMap<>();

    private final Set<TopicPartition> unknown = new HashSet<>();
    private final Set<TopicPartition> confirmed = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final Set<TopicPartition> recreated = new HashSet<>();
    private final Set<TopicPartition> exchanged = new HashSet<>();

    TopicWatch(String lane, InputTopics topics, StopSignal stop) {
        this.lane = lane;
        this.topics = topics;
        this.stop = stop;
    }

    /** These partitions begin at their committed offsets, which are looked up afterwards. Asks what topics they are. */
    void assigned(Collection<TopicPartition> partitions) {
        unknown.addAll(partitions);
        // Not those that have been unknown before: their positions were looked up before this answer.
        learn(Set.copyOf(partitions), WHILE_ASSIGNED);
    }

    /** These partitions are somebody else's: what is known of them says nothing if they come back. */
    void released(Collection<TopicPartition> partitions) {
        forget(partitions);
        unknown.removeAll(partitions);
        recreated.removeAll(partitions);
    }

    /** Offsets of these partitions are committed: they are those of the topics that are known. */
    void confirmed(Set<TopicPartition> partitions) {
        confirmed.addAll(partitions);
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
        Set<TopicPartition> contradicted = of(names(unknown), known.keySet());
        if (!contradicted.isEmpty()) {
            isAnotherOne(contradicted);
        }
        return learned;
    }

    /** What was learned of these partitions is of no use: it is to be asked for again. */
    void unlearn(Set<TopicPartition> partitions) {
        forget(partitions);
        unknown.addAll(partitions);
    }

    private void forget(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Uuid id = known.remove(partition);
            if (id != null) {
                former.put(partition, id);
            }
        }
        confirmed.removeAll(partitions);
    }

    /** What contradicts what is known of other partitions of the topic is not taken. */
    private Optional<KafkaException> learn(Set<TopicPartition> partitions, Duration limit) {
        if (partitions.isEmpty()) {
            return Optional.empty();
        }
        Answers said = topics.ids(names(partitions), limit);
        said.ids()
                .forEach((topic, id) -> id.filter(now -> compare(topic, now) != Answer.CHANGED)
                        .ifPresent(now -> {
                            gone.remove(topic);
                            of(Set.of(topic), partitions).forEach(partition -> learned(partition, now));
                        }));
        return said.failure();
    }

    private void learned(TopicPartition partition, Uuid id) {
        unknown.remove(partition);
        known.put(partition, id);
        Uuid before = former.remove(partition);
        if (before != null && !before.equals(id)) {
            exchanged.add(partition);
        }
    }

    /** {@return partitions that are assigned, of topics whose ids nobody has told, or not for certain} */
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

    /** {@return whether partitions are to go on from elsewhere, or were polled of a topic that was gone and is not} */
    boolean isRecreated(Set<TopicPartition> polled) {
        return !recreated.isEmpty()
                || (!gone.isEmpty()
                        && polled.stream().anyMatch(partition -> gone.contains(partition.topic()))
                        && isAnotherOne(polled));
    }

    /** Asks once whether these topics are what they were, and waits for the answer. */
    Answer compare(Set<TopicPartition> partitions) {
        return ask(partitions, new HashMap<>());
    }

    /**
     * Asks whether one of these topics is another one now, until that is certain. Waits for a moment more than for the
     * answers if there are others, and not once the lane is to stop.
     *
     * @return whether there are partitions that go on from elsewhere
     */
    boolean isAnotherOne(Set<TopicPartition> partitions) {
        Map<String, Uuid> everyTime = new HashMap<>();
        Answer answer = ask(partitions, everyTime);
        long since = System.nanoTime();
        while (answer == Answer.CHANGED && !everyTime.isEmpty()) {
            if (System.nanoTime() - since > CERTAIN.toNanos()) {
                everyTime.forEach(this::exchange);
                return true;
            }
            if (!stop.pause(TICK)) {
                return false;
            }
            Map<String, Uuid> others = new HashMap<>();
            answer = ask(partitions, others);
            everyTime.entrySet().retainAll(others.entrySet());
        }
        return false;
    }

    /** Asks once, and notes the ids of those that are others. */
    private Answer ask(Set<TopicPartition> partitions, Map<String, Uuid> others) {
        Answers said = topics.ids(names(partitions), topics.limit());
        Answer all = said.failure().isEmpty() ? Answer.SAME : Answer.NONE;
        for (Map.Entry<String, Optional<Uuid>> one : said.ids().entrySet()) {
            String topic = one.getKey();
            Uuid now = one.getValue().orElse(null);
            if (now == null) {
                gone.add(topic);
                continue;
            }
            gone.remove(topic);
            Answer answer = compare(topic, now);
            if (answer == Answer.CHANGED) {
                others.put(topic, now);
            }
            all = all == Answer.CHANGED || answer == Answer.SAME ? all : answer;
        }
        return all;
    }

    /** Where some brokers know no ids, zero says nothing. */
    private Answer compare(String topic, Uuid now) {
        Answer answer = Answer.SAME;
        for (TopicPartition partition : of(Set.of(topic), known.keySet())) {
            Uuid before = known.getOrDefault(partition, now);
            if (before.equals(Uuid.ZERO_UUID)) {
                known.put(partition, now);
            } else if (now.equals(Uuid.ZERO_UUID)) {
                answer = Answer.NONE;
            } else if (!before.equals(now)) {
                answer = Answer.CHANGED;
            }
        }
        return answer;
    }

    /** Of what is committed for the topic before, nothing is left; of what was only heard of, that is to be asked. */
    private void exchange(String topic, Uuid now) {
        for (TopicPartition partition : of(Set.of(topic), known.keySet())) {
            if (now.equals(known.get(partition))) {
                continue;
            }
            if (confirmed.remove(partition)) {
                known.put(partition, now);
                recreated.add(partition);
            } else {
                unlearn(Set.of(partition));
            }
        }
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

    /** {@return partitions that are of another topic than when they were last known, once} */
    Set<TopicPartition> takeExchanged() {
        Set<TopicPartition> taken = Set.copyOf(exchanged);
        exchanged.clear();
        return taken;
    }

    private static Set<TopicPartition> of(Set<String> topics, Set<TopicPartition> partitions) {
        Set<TopicPartition> found = new HashSet<>(partitions);
        found.removeIf(partition -> !topics.contains(partition.topic()));
        return found;
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        Set<String> names = new HashSet<>();
        partitions.forEach(partition -> names.add(partition.topic()));
        return names;
    }
}
