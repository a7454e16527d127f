package io.github.kafkatxn.internal.wire;

import org.apache.kafka.common.errors.UnsupportedVersionException;

/** A cluster, or the client, cannot do what was asked for. Nothing has been sent. */
public final class MissingCapabilityException extends UnsupportedVersionException {
    private static final long serialVersionUID = 1L;

    /**
     * For what is missing.
     *
     * @param message says what
     */
    public MissingCapabilityException(String message) {
        super(message);
    }
}
