package io.github.kafkatxn.result;

/**
 * What kind of failure it was, in the categories of KIP-1050.
 *
 * <p>The category does not decide what to do: the same exception can come from a producer that goes on and from one
 * that is finished. That is {@link Action}.
 */
public enum ErrorCategory {
    /** A passing condition of the cluster or the network. */
    RETRIABLE,

    /** A passing condition that ends once leaders, coordinators or topic ids have been looked up again. */
    REFRESH_RETRIABLE,

    /** This transaction cannot be committed; the producer can go on after an abort. */
    ABORTABLE,

    /** The application has to step in: most often with a new producer, and always from the committed offsets. */
    APPLICATION_RECOVERABLE,

    /** A setting, a permission or a record is wrong; the same call fails again until that is changed. */
    INVALID_CONFIGURATION
}
