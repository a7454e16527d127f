package io.github.kafkatxn.result;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RefreshRetriableException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CorrelationIdMismatchException;

/**
 * Which exception is of which {@linkplain ExceptionKind kind}; the most specific class that is listed decides.
 *
 * <p>kafka-clients 4.4.0 puts most classes under the markers of KIP-1050. Those it leaves out, and those whose marker
 * is too coarse to act on, are listed one by one, by error code where there is one. What is not here is
 * {@link ExceptionKind#UNKNOWN}; a test holds the reviewed list of the classes that are so on purpose.
 */
final class KnownExceptions {
    private static final Map<Class<?>, ExceptionKind> KINDS = kinds();

    private KnownExceptions() {}

    /** {@return the kind of an exception} */
    static ExceptionKind kindOf(Throwable exception) {
        return kindOf(exception.getClass());
    }

    static ExceptionKind kindOf(Class<?> type) {
        return listed(type).map(KINDS::get).orElse(ExceptionKind.UNKNOWN);
    }

    /** {@return the class in the list that decides for this one: itself or the nearest of its superclasses} */
    static Optional<Class<?>> listed(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (KINDS.containsKey(c)) {
                return Optional.of(c);
            }
        }
        return Optional.empty();
    }

    private static Map<Class<?>, ExceptionKind> kinds() {
        Map<Class<?>, ExceptionKind> kinds = new HashMap<>();
        put(kinds, ExceptionKind.UNKNOWN, KafkaException.class, ApiException.class);
        markers(kinds);
        waiting(kinds);
        transactions(kinds);
        groups(kinds);
        records(kinds);
        configuration(kinds);
        usage(kinds);
        return Map.copyOf(kinds);
    }

    /** The tree of KIP-1050. */
    private static void markers(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.RETRIABLE, RetriableException.class);
        put(kinds, ExceptionKind.REFRESH_RETRIABLE, RefreshRetriableException.class);
        put(kinds, ExceptionKind.CONFIGURATION, InvalidConfigurationException.class);
        put(kinds, ExceptionKind.UNKNOWN, ApplicationRecoverableException.class);
    }

    private static void waiting(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.TIMEOUT, TimeoutException.class, java.util.concurrent.TimeoutException.class);
        put(kinds, ExceptionKind.INTERRUPTED, InterruptException.class, InterruptedException.class);
        put(kinds, ExceptionKind.INTERRUPTED, WakeupException.class);
    }

    private static void transactions(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.ABORTABLE, Errors.TRANSACTION_ABORTABLE);
        put(kinds, ExceptionKind.ABORTABLE, TransactionAbortedException.class);
        put(kinds, ExceptionKind.INVALID_TXN_STATE, Errors.INVALID_TXN_STATE);
        // UNKNOWN_PRODUCER_ID is a subclass of the first.
        put(kinds, ExceptionKind.SEQUENCE, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, Errors.DUPLICATE_SEQUENCE_NUMBER);
        put(kinds, ExceptionKind.EPOCH, Errors.INVALID_PRODUCER_EPOCH);
        put(kinds, ExceptionKind.FENCED, Errors.PRODUCER_FENCED);
        put(kinds, ExceptionKind.FORGOTTEN, Errors.INVALID_PRODUCER_ID_MAPPING);
        // The broker, or the connection, could not say what became of the request.
        put(kinds, ExceptionKind.UNKNOWN, Errors.UNKNOWN_SERVER_ERROR);
        put(kinds, ExceptionKind.UNKNOWN, CorrelationIdMismatchException.class);
    }

    private static void groups(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.MEMBERSHIP, CommitFailedException.class);
        put(kinds, ExceptionKind.MEMBERSHIP, Errors.UNKNOWN_MEMBER_ID, Errors.ILLEGAL_GENERATION);
        put(kinds, ExceptionKind.GROUP_MISMATCH, Errors.STALE_MEMBER_EPOCH, Errors.FENCED_MEMBER_EPOCH);
        put(kinds, ExceptionKind.GROUP_MISMATCH, Errors.GROUP_ID_NOT_FOUND, Errors.REBALANCE_IN_PROGRESS);
        put(kinds, ExceptionKind.GROUP_MISMATCH, Errors.MEMBER_ID_REQUIRED);
        // Share groups: the acquisition lock is gone, somebody else may have the record.
        put(kinds, ExceptionKind.GROUP_MISMATCH, Errors.INVALID_RECORD_STATE);
        put(kinds, ExceptionKind.DUPLICATE_INSTANCE, Errors.FENCED_INSTANCE_ID, Errors.UNRELEASED_INSTANCE_ID);
    }

    private static void records(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.RECORD, SerializationException.class);
        put(kinds, ExceptionKind.RECORD, Errors.MESSAGE_TOO_LARGE, Errors.INVALID_RECORD);
        put(kinds, ExceptionKind.RECORD, Errors.INVALID_TIMESTAMP, Errors.POLICY_VIOLATION);
    }

    private static void configuration(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.ACCESS, AuthenticationException.class, BootstrapResolutionException.class);
        put(kinds, ExceptionKind.ACCESS, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, Errors.UNSUPPORTED_VERSION);
        put(kinds, ExceptionKind.CONFIGURATION, AuthorizationException.class, ConfigException.class);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.INVALID_TRANSACTION_TIMEOUT, Errors.INVALID_GROUP_ID);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.INVALID_SESSION_TIMEOUT, Errors.GROUP_MAX_SIZE_REACHED);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.OFFSET_METADATA_TOO_LARGE, Errors.INVALID_COMMIT_OFFSET_SIZE);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.UNSUPPORTED_COMPRESSION_TYPE, Errors.UNSUPPORTED_ASSIGNOR);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.INCONSISTENT_GROUP_PROTOCOL, Errors.INVALID_REGULAR_EXPRESSION);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.SECURITY_DISABLED, Errors.PRINCIPAL_DESERIALIZATION_FAILURE);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.INVALID_PRINCIPAL_TYPE, Errors.UNACCEPTABLE_CREDENTIAL);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.DELEGATION_TOKEN_AUTH_DISABLED);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.DELEGATION_TOKEN_EXPIRED, Errors.DELEGATION_TOKEN_NOT_FOUND);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.DELEGATION_TOKEN_OWNER_MISMATCH);
        put(kinds, ExceptionKind.CONFIGURATION, Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED);
        // No reset policy, or none that is safe to apply: polling again finds the same offset missing.
        put(kinds, ExceptionKind.CONFIGURATION, InvalidOffsetException.class);
        put(kinds, ExceptionKind.CONFIGURATION, org.apache.kafka.common.errors.InvalidOffsetException.class);
    }

    private static void usage(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, ExceptionKind.USAGE, IllegalStateException.class);
        put(kinds, ExceptionKind.USAGE, Errors.INVALID_REQUEST);
        put(kinds, ExceptionKind.ARGUMENT, IllegalArgumentException.class, NullPointerException.class);
        put(kinds, ExceptionKind.ARGUMENT, ClassCastException.class);
    }

    private static void put(Map<Class<?>, ExceptionKind> kinds, ExceptionKind kind, Class<?>... types) {
        for (Class<?> type : types) {
            kinds.put(type, kind);
        }
    }

    private static void put(Map<Class<?>, ExceptionKind> kinds, ExceptionKind kind, Errors... codes) {
        for (Errors code : codes) {
            kinds.put(code.exception().getClass(), kind);
        }
    }
}
