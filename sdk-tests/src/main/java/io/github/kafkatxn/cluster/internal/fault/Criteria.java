package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** Which requests are selected. Immutable. */
final class Criteria {
    private final @Nullable MessageFormat format;
    private final List<Test> tests;
    private final @Nullable String topic;
    private final @Nullable Uuid topicId;
    private final int partition;

    private record Test(String description, Predicate<Seen> matches) {}

    private Criteria(
            @Nullable MessageFormat format,
            List<Test> tests,
            @Nullable String topic,
            @Nullable Uuid topicId,
            int partition) {
        this.format = format;
        this.tests = List.copyOf(tests);
        this.topic = topic;
        this.topicId = topicId;
        this.partition = partition;
    }

    /** All requests of a key, or of any. */
    static Criteria of(@Nullable MessageFormat format) {
        return new Criteria(format, List.of(), null, null, Named.WHOLE_TOPIC);
    }

    Criteria and(String description, Predicate<Seen> matches) {
        List<Test> more = new ArrayList<>(tests);
        more.add(new Test(description, matches));
        return new Criteria(format, more, topic, topicId, partition);
    }

    Criteria topic(String name) {
        return new Criteria(format, tests, name, topicId, partition);
    }

    Criteria topicId(Uuid id) {
        return new Criteria(format, tests, topic, id, partition);
    }

    Criteria partition(int number) {
        return new Criteria(format, tests, topic, topicId, number);
    }

    Optional<MessageFormat> format() {
        return Optional.ofNullable(format);
    }

    boolean hasParts() {
        return topic != null || topicId != null || partition != Named.WHOLE_TOPIC;
    }

    boolean matches(Seen seen) {
        boolean rightKey =
                format == null || format.key() == seen.request().format().key();
        return rightKey && tests.stream().allMatch(test -> test.matches().test(seen)) && (!hasParts() || names(seen));
    }

    private boolean names(Seen seen) {
        AtomicBoolean found = new AtomicBoolean();
        ApiMessage body = seen.request().body();
        RequestNames.of(seen.request().format().key()).visit(body, (name, id, number) -> {
            if (isPart(seen.image(), name, id, number)) {
                found.set(true);
            }
        });
        return found.get();
    }

    /** Whether a partition is one of those selected. */
    boolean isPart(ClusterImage image, @Nullable String name, Uuid id, int number) {
        if (partition != Named.WHOLE_TOPIC && partition != number) {
            return false;
        }
        if (topicId != null && !topicId.equals(id)) {
            return false;
        }
        return topic == null || topic.equals(name) || isTopic(image, id);
    }

    private boolean isTopic(ClusterImage image, Uuid id) {
        return image.topic(id)
                .map(TopicInfo::name)
                .filter(name -> name.equals(topic))
                .isPresent();
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        parts.add(format == null ? "any request" : format.name());
        tests.forEach(test -> parts.add(test.description()));
        if (topic != null) {
            parts.add("topic " + topic);
        }
        if (topicId != null) {
            parts.add("topic id " + topicId);
        }
        if (partition != Named.WHOLE_TOPIC) {
            parts.add("partition " + partition);
        }
        return String.join(", ", parts);
    }
}
