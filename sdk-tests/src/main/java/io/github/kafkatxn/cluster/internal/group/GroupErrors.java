package io.github.kafkatxn.cluster.internal.group;

import org.apache.kafka.common.protocol.Errors;

/** How clients of a group coordinator are told what went wrong behind it. */
public final class GroupErrors {
    private GroupErrors() {}

    /**
     * The coordinator's own partition did not take something, or could not be verified: clients look for the
     * coordinator again where that may help.
     *
     * @param error of the partition
     * @return what the client is told
     */
    public static Errors ofLog(Errors error) {
        return switch (error) {
            case NETWORK_EXCEPTION -> Errors.COORDINATOR_LOAD_IN_PROGRESS;
            case UNKNOWN_TOPIC_OR_PARTITION, NOT_ENOUGH_REPLICAS, REQUEST_TIMED_OUT -> Errors.COORDINATOR_NOT_AVAILABLE;
            case NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR -> Errors.NOT_COORDINATOR;
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, INVALID_FETCH_SIZE -> Errors.UNKNOWN_SERVER_ERROR;
            default -> error;
        };
    }
}
