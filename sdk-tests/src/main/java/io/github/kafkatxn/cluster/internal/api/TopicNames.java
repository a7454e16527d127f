package io.github.kafkatxn.cluster.internal.api;

import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;

/** What brokers say of topics that are not there. */
final class TopicNames {
    private TopicNames() {}

    /** {@return the error for a topic that is not there, another one if there can be none of that name} */
    static Errors missing(String name) {
        try {
            Topic.validate(name);
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        } catch (InvalidTopicException e) {
            return Errors.INVALID_TOPIC_EXCEPTION;
        }
    }
}
