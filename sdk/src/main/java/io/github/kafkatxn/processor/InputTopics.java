package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of a processor as the cluster knows them: that they exist, and whether an input topic has been deleted and
 * created again, which makes every offset of it meaningless.
 *
 * <p>Asks with an admin client of its own, at the start and after offsets were not answered; shared by the lanes.
 */
final class InputTopics {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final ProcessorSettings settings;
    private final Map<String, Uuid> ids = new HashMap<>();

    InputTopics(ProcessorSettings settings) {
        this.settings = settings;
    }

    /** {@return why a processor cannot start with these topics, or null; also null if nobody answers} */
    synchronized @Nullable TxnError check() {
        List<String> topics = new ArrayList<>(settings.inputTopics());
        settings.deadLetterTopic().ifPresent(topics::add);
        try (Admin admin = Admin.create(adminProperties())) {
            Map<String, KafkaFuture<TopicDescription>> answers =
                    admin.describeTopics(topics).topicNameValues();
            for (String topic : topics) {
                TopicDescription description = get(answers.get(topic));
                if (description != null && settings.inputTopics().contains(topic)) {
                    ids.put(topic, description.topicId());
                }
            }
            return null;
        } catch (UnknownTopicOrPartitionException e) {
            return unusable(new UnknownTopicOrPartitionException(
                    "not all topics exist: input " + settings.inputTopics() + ", dead letters "
                            + settings.deadLetterTopic().orElse("none") + ": " + e.getMessage(),
                    e));
        } catch (RetriableException e) {
            return null;
        } catch (RuntimeException e) {
            return unusable(e);
        }
    }

    /** {@return the input topics that have another id than before; the new ids count from here on} */
    synchronized Set<String> recreated() {
        Set<String> recreated = new HashSet<>();
        try (Admin admin = Admin.create(adminProperties())) {
            admin.describeTopics(settings.inputTopics()).topicNameValues().forEach((topic, answer) -> {
                TopicDescription now = describedOrNull(answer);
                Uuid before = now == null ? null : ids.put(topic, now.topicId());
                if (now != null && before != null && !before.equals(now.topicId())) {
                    recreated.add(topic);
                }
            });
        }
        return recreated;
    }

    /** A topic that is gone keeps the id it had: that tells when it is back. */
    private @Nullable TopicDescription describedOrNull(KafkaFuture<TopicDescription> answer) {
        try {
            return get(answer);
        } catch (RetriableException e) {
            LOG.debug("topic not described", e);
            return null;
        }
    }

    private TxnError unusable(RuntimeException why) {
        return ErrorClassifier.classify(Operation.INIT, why, Condition.NEW);
    }

    private Map<String, Object> adminProperties() {
        Map<String, Object> properties = new HashMap<>(settings.consumerProperties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        int limit = (int) limit().toMillis();
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limit);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limit);
        return properties;
    }

    private Duration limit() {
        return settings.producer().callTimeout();
    }

    private @Nullable TopicDescription get(@Nullable KafkaFuture<TopicDescription> answer) {
        if (answer == null) {
            return null;
        }
        try {
            return answer.get(limit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
