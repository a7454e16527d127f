package io.github.kafkatxn.result;

import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidCommitOffsetSizeException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The setting, permission or code behind an error that stops, in the words of Kafka's configuration. */
final class WhatToChange {
    private static final String REST = "what the message above names";

    private WhatToChange() {}

    static String of(Operation operation, Throwable cause) {
        String permission = permission(operation, cause);
        if (permission != null) {
            return permission;
        }
        String setting = setting(operation, cause);
        if (setting != null) {
            return setting;
        }
        return cause instanceof IllegalStateException ? "the code that makes this call at the wrong time" : REST;
    }

    private static @Nullable String permission(Operation operation, Throwable cause) {
        if (cause instanceof AuthenticationException) {
            return "the client's credentials (security.protocol, sasl.*, ssl.*)";
        } else if (cause instanceof TransactionalIdAuthorizationException) {
            return "the permissions (Write and Describe on the transactional id)";
        } else if (cause instanceof ClusterAuthorizationException) {
            return "the permissions (IdempotentWrite on the cluster, or Write on a topic)";
        } else if (cause instanceof GroupAuthorizationException) {
            return "the permissions (Read on the group)";
        } else if (cause instanceof TopicAuthorizationException) {
            boolean output = operation == Operation.SEND || operation == Operation.COMMIT;
            return "the permissions (" + (output ? "Write on the output topic)" : "Read on the input topic)");
        }
        return null;
    }

    private static @Nullable String setting(Operation operation, Throwable cause) {
        if (cause instanceof InvalidTxnTimeoutException || isBareTxnTimeout(operation, cause)) {
            return "transaction.timeout.ms (at most the broker's transaction.max.timeout.ms)";
        } else if (cause instanceof RecordTooLargeException) {
            return "the limits (max.request.size and buffer.memory here, max.message.bytes of the topic)";
        } else if (cause instanceof RecordBatchTooLargeException) {
            return "batch.size here or segment.bytes of the topic";
        } else if (cause instanceof SerializationException) {
            return operation == Operation.POLL ? "the deserializer" : "the serializer";
        } else if (cause instanceof FencedInstanceIdException || cause instanceof UnreleasedInstanceIdException) {
            return "group.instance.id (every member needs its own; close this consumer, another one uses it)";
        } else if (cause instanceof OffsetMetadataTooLarge || cause instanceof InvalidCommitOffsetSizeException) {
            return "the metadata of the offsets (at most the broker's offset.metadata.max.bytes)";
        } else if (cause instanceof UnsupportedVersionException) {
            return "the broker's version, or do without what it does not support";
        } else if (cause instanceof BootstrapResolutionException) {
            return "bootstrap.servers";
        } else if (cause instanceof org.apache.kafka.clients.consumer.InvalidOffsetException) {
            return "the position (seek, or commit an offset that exists), or auto.offset.reset";
        } else if (cause instanceof ConfigException) {
            return "the setting named above";
        }
        return null;
    }

    /** The client turns this one code of InitProducerId into a KafkaException that has only its text. */
    private static boolean isBareTxnTimeout(Operation operation, Throwable cause) {
        String message = cause.getMessage();
        return operation == Operation.INIT
                && message != null
                && message.contains(Errors.INVALID_TRANSACTION_TIMEOUT.message());
    }
}
