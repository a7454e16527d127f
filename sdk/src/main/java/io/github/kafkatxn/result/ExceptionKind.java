package io.github.kafkatxn.result;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ControllerIdNotRegisteredException;
import org.apache.kafka.common.errors.ControllerMovedException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DelegationTokenDisabledException;
import org.apache.kafka.common.errors.DelegationTokenExpiredException;
import org.apache.kafka.common.errors.DelegationTokenNotFoundException;
import org.apache.kafka.common.errors.DelegationTokenOwnerMismatchException;
import org.apache.kafka.common.errors.DuplicateBrokerRegistrationException;
import org.apache.kafka.common.errors.DuplicateResourceException;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.DuplicateVoterException;
import org.apache.kafka.common.errors.FeatureUpdateFailedException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.FencedMemberEpochException;
import org.apache.kafka.common.errors.FencedStateEpochException;
import org.apache.kafka.common.errors.GroupDeletionFailedException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InconsistentClusterIdException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InconsistentVoterSetException;
import org.apache.kafka.common.errors.IneligibleReplicaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidCommitOffsetSizeException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidFetchSizeException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidOffsetException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidPrincipalTypeException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.InvalidRegistrationException;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.InvalidVoterKeyException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.MemberIdRequiredException;
import org.apache.kafka.common.errors.MismatchedEndpointTypeException;
import org.apache.kafka.common.errors.NewLeaderElectedException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.OffsetMovedToTieredStorageException;
import org.apache.kafka.common.errors.OperationNotAttemptedException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.PositionOutOfRangeException;
import org.apache.kafka.common.errors.PrincipalDeserializationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.ReassignmentInProgressException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RebootstrapRequiredException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RefreshRetriableException;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SnapshotNotFoundException;
import org.apache.kafka.common.errors.StaleBrokerEpochException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.StreamsInvalidTopologyEpochException;
import org.apache.kafka.common.errors.StreamsInvalidTopologyException;
import org.apache.kafka.common.errors.StreamsTopologyDescriptionUpdateFailedException;
import org.apache.kafka.common.errors.StreamsTopologyFencedException;
import org.apache.kafka.common.errors.TelemetryTooLargeException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnacceptableCredentialException;
import org.apache.kafka.common.errors.UnknownControllerIdException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownSubscriptionIdException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.UnsupportedByAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedEndpointTypeException;
import org.apache.kafka.common.errors.VoterNotFoundException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * What an exception says, apart from where it came from.
 *
 * <p>The most specific class that is listed decides. kafka-clients 4.4.0 puts most classes under the markers of
 * KIP-1050; those it leaves out, and those whose marker is too coarse to act on, stand here one by one.
 */
enum ExceptionKind {
    /** Passes by itself. */
    RETRIABLE,
    /** Passes once metadata has been refreshed. */
    REFRESH_RETRIABLE,
    /** The thread was interrupted while it waited; the request itself went on. */
    INTERRUPTED,
    /** The broker or the client says: abort, then go on. */
    ABORTABLE,
    /** The state at the coordinator is not what the producer thinks; means something else on the produce path. */
    INVALID_TXN_STATE,
    /** The broker has a gap where the producer has none; an abort starts afresh. */
    SEQUENCE,
    /** The group has moved on; the consumer has to catch up with it. */
    MEMBERSHIP,
    /** Another member uses the same {@code group.instance.id}. */
    DUPLICATE_INSTANCE,
    /** Epoch lower than the broker's: timed out, or replaced by another producer. */
    EPOCH,
    /** Another producer with this transactional id has taken over, or the coordinator has forgotten this one. */
    FENCED,
    /** One record is at fault. */
    RECORD,
    /** A setting or a permission is at fault. */
    CONFIGURATION,
    /** The caller used the API in a way it does not allow. */
    USAGE,
    /** The broker could not say what is wrong; after a commit it may have been applied. */
    SERVER,
    /**
     * Known, and not something a transactional producer or its consumer is sent; looked at and left here on purpose.
     */
    UNRELATED,
    /** Nothing is known of it. */
    UNKNOWN;

    private static final Map<Class<?>, ExceptionKind> KINDS = kinds();

    /** {@return the kind of the most specific listed class of an exception} */
    static ExceptionKind of(Throwable exception) {
        return of(exception.getClass());
    }

    static ExceptionKind of(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            ExceptionKind kind = KINDS.get(c);
            if (kind != null) {
                return kind;
            }
        }
        return UNKNOWN;
    }

    /** {@return whether a commit that met this may still have been applied} */
    boolean leavesCommitOpen() {
        return switch (this) {
            case RETRIABLE, REFRESH_RETRIABLE, INTERRUPTED, EPOCH, FENCED, SERVER, UNKNOWN -> true;
            default -> false;
        };
    }

    private static Map<Class<?>, ExceptionKind> kinds() {
        Map<Class<?>, ExceptionKind> kinds = new HashMap<>();
        markers(kinds);
        transactions(kinds);
        put(
                kinds,
                RECORD,
                RecordTooLargeException.class,
                SerializationException.class,
                InvalidRecordException.class,
                InvalidTimestampException.class,
                RecordBatchTooLargeException.class,
                PolicyViolationException.class);
        configuration(kinds);
        put(
                kinds,
                USAGE,
                IllegalStateException.class,
                IllegalArgumentException.class,
                NullPointerException.class,
                InvalidRequestException.class);
        unrelated(kinds);
        return Map.copyOf(kinds);
    }

    private static void markers(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, RETRIABLE, RetriableException.class);
        put(kinds, REFRESH_RETRIABLE, RefreshRetriableException.class);
        put(kinds, CONFIGURATION, InvalidConfigurationException.class);
        put(kinds, UNKNOWN, ApplicationRecoverableException.class, KafkaException.class);
    }

    private static void transactions(Map<Class<?>, ExceptionKind> kinds) {
        // A corrupt record is refused by the broker for what arrived, not for what was sent: sending again can help.
        put(kinds, RETRIABLE, CorruptRecordException.class, RebootstrapRequiredException.class);
        put(kinds, INTERRUPTED, InterruptException.class);
        put(kinds, ABORTABLE, TransactionAbortableException.class, TransactionAbortedException.class);
        put(kinds, INVALID_TXN_STATE, InvalidTxnStateException.class);
        put(kinds, SEQUENCE, OutOfOrderSequenceException.class, DuplicateSequenceException.class);
        put(
                kinds,
                MEMBERSHIP,
                CommitFailedException.class,
                RetriableCommitFailedException.class,
                UnknownMemberIdException.class,
                IllegalGenerationException.class,
                StaleMemberEpochException.class,
                FencedMemberEpochException.class,
                GroupIdNotFoundException.class,
                RebalanceInProgressException.class,
                MemberIdRequiredException.class);
        put(kinds, DUPLICATE_INSTANCE, FencedInstanceIdException.class, UnreleasedInstanceIdException.class);
        put(kinds, EPOCH, InvalidProducerEpochException.class);
        put(
                kinds,
                FENCED,
                ProducerFencedException.class,
                InvalidPidMappingException.class,
                TransactionCoordinatorFencedException.class,
                TransactionalIdNotFoundException.class);
        put(kinds, SERVER, UnknownServerException.class);
    }

    private static void configuration(Map<Class<?>, ExceptionKind> kinds) {
        put(
                kinds,
                CONFIGURATION,
                AuthenticationException.class,
                AuthorizationException.class,
                ConfigException.class,
                BootstrapResolutionException.class,
                InvalidTxnTimeoutException.class,
                InvalidGroupIdException.class,
                InvalidSessionTimeoutException.class,
                OffsetMetadataTooLarge.class,
                InvalidCommitOffsetSizeException.class,
                UnsupportedCompressionTypeException.class,
                UnsupportedAssignorException.class,
                InconsistentGroupProtocolException.class,
                GroupMaxSizeReachedException.class,
                InvalidRegularExpression.class,
                SecurityDisabledException.class,
                PrincipalDeserializationException.class,
                UnacceptableCredentialException.class,
                UnsupportedByAuthenticationException.class,
                UnsupportedEndpointTypeException.class,
                MismatchedEndpointTypeException.class,
                DelegationTokenDisabledException.class,
                DelegationTokenExpiredException.class,
                DelegationTokenNotFoundException.class,
                DelegationTokenOwnerMismatchException.class,
                InvalidPrincipalTypeException.class,
                InvalidOffsetException.class,
                InvalidPartitionsException.class);
    }

    /**
     * Controller, quorum, admin, share and Streams errors: no producer call and no group consumer is answered with
     * them.
     */
    private static void unrelated(Map<Class<?>, ExceptionKind> kinds) {
        put(kinds, UNRELATED, WakeupException.class);
        for (Class<?> type : List.of(
                BrokerIdNotRegisteredException.class,
                BrokerNotAvailableException.class,
                ControllerIdNotRegisteredException.class,
                ControllerMovedException.class,
                DuplicateBrokerRegistrationException.class,
                DuplicateResourceException.class,
                DuplicateVoterException.class,
                FeatureUpdateFailedException.class,
                FencedStateEpochException.class,
                GroupDeletionFailedException.class,
                GroupNotEmptyException.class,
                GroupSubscribedToTopicException.class,
                InconsistentClusterIdException.class,
                InconsistentVoterSetException.class,
                IneligibleReplicaException.class,
                InvalidFetchSizeException.class,
                InvalidRecordStateException.class,
                InvalidRegistrationException.class,
                InvalidReplicaAssignmentException.class,
                InvalidUpdateVersionException.class,
                InvalidVoterKeyException.class,
                LogDirNotFoundException.class,
                NewLeaderElectedException.class,
                NoReassignmentInProgressException.class,
                OffsetMovedToTieredStorageException.class,
                OperationNotAttemptedException.class,
                PositionOutOfRangeException.class,
                ReassignmentInProgressException.class,
                ResourceNotFoundException.class,
                SnapshotNotFoundException.class,
                StaleBrokerEpochException.class,
                StreamsInvalidTopologyEpochException.class,
                StreamsInvalidTopologyException.class,
                StreamsTopologyDescriptionUpdateFailedException.class,
                StreamsTopologyFencedException.class,
                TelemetryTooLargeException.class,
                TopicDeletionDisabledException.class,
                TopicExistsException.class,
                UnknownControllerIdException.class,
                UnknownSubscriptionIdException.class,
                VoterNotFoundException.class)) {
            put(kinds, UNRELATED, type);
        }
    }

    private static void put(Map<Class<?>, ExceptionKind> kinds, ExceptionKind kind, Class<?>... types) {
        for (Class<?> type : types) {
            kinds.put(type, kind);
        }
    }
}
