package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics of a processor as the cluster knows them; shared by the lanes. */
final class InputTopics {
    /**
     * What the cluster says of topics.
     *
     * @param ids per topic its id, zero if the cluster has none for it, empty if there is no such topic
     * @param failure why there was no answer of others, if there are any
     */
    record Answers(Map<String, Optional<Uuid>> ids, Optional<KafkaException> failure) {}

    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);

    /** A topic that has just been made is not known to every broker at once. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ProcessorSettings settings;
    private final StopSignal stop;
    private final ClusterQuestions cluster;
    private boolean allThere;

    InputTopics(ProcessorSettings settings, StopSignal stop, ClusterQuestions cluster) {
        this.settings = settings;
        this.stop = stop;
        this.cluster = cluster;
    }

    /**
     * Checks that all topics exist and may be seen.
     *
     * @return why a processor cannot work with these topics, or has to ask again ({@code RETRY_CALL}); null if it can
     */
    synchronized @Nullable TxnError check() {
        long start = System.nanoTime();
        while (!allThere) {
            try {
                String missing = missing();
                allThere = missing == null;
                if (missing != null
                        && (System.nanoTime() - start > PATIENCE.toNanos() || !stop.pause(Duration.ofMillis(200)))) {
                    return failure(new ConfigException("inputTopics=" + settings.inputTopics() + ", deadLetterTopic="
                            + settings.deadLetterTopic().orElse("none") + ": there is no topic " + missing));
                }
            } catch (KafkaException e) {
                return failure(e);
            }
        }
        return null;
    }

    /**
     * Asks for the ids of topics, and waits.
     *
     * @param names of topics
     * @param limit how long to wait at most
     * @return what was said of each, and why nothing was said of others
     */
    Answers ids(Collection<String> names, Duration limit) {
        Map<String, Optional<Uuid>> ids = new HashMap<>();
        KafkaException failure = null;
        long start = System.nanoTime();
        try {
            for (Map.Entry<String, KafkaFuture<TopicDescription>> asked :
                    ask(names).entrySet()) {
                try {
                    ids.put(asked.getKey(), id(asked.getValue(), start, limit));
                } catch (KafkaException e) {
                    LOG.warn("topic {} was not described: {}", asked.getKey(), e.getMessage());
                    failure = e;
                }
            }
        } catch (KafkaException e) {
            failure = e;
        }
        return new Answers(ids, Optional.ofNullable(failure));
    }

    /** {@return how long to wait for an answer, at most} */
    Duration limit() {
        return cluster.limit();
    }

    /** {@return a topic that does not exist, or null} */
    private @Nullable String missing() {
        List<String> topics = new ArrayList<>(settings.inputTopics());
        settings.deadLetterTopic().ifPresent(topics::add);
        for (String topic : topics) {
            try {
                for (KafkaFuture<TopicDescription> answer : ask(List.of(topic)).values()) {
                    if (id(answer, System.nanoTime(), limit()).isEmpty()) {
                        return topic;
                    }
                }
            } catch (TopicAuthorizationException e) {
                // The broker does not say which.
                throw new TopicAuthorizationException("not allowed to see the topic " + topic, Set.of(topic));
            }
        }
        return null;
    }

    private Map<String, KafkaFuture<TopicDescription>> ask(Collection<String> names) {
        return cluster.client().describeTopics(names).topicNameValues();
    }

    private Optional<Uuid> id(KafkaFuture<TopicDescription> answer, long start, Duration limit) {
        try {
            return Optional.of(cluster.get(answer, start, limit).topicId());
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        }
    }

    private static TxnError failure(KafkaException e) {
        return ErrorClassifier.classify(Operation.INIT, e, Condition.NEW);
    }
}
