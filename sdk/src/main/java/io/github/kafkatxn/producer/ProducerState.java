package io.github.kafkatxn.producer;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a producer stands.
 *
 * <pre>
 * NEW --init--> READY --begin--> IN_TRANSACTION --commit--> COMMIT_PENDING --answered--> READY
 *                                  |      |                   |
 *                               failure   +--abort--+         +--abortable--> MUST_ABORT
 *                                  v                v
 *                              MUST_ABORT --abort--> ABORT_PENDING --answered--> READY
 *
 * NEW, READY, COMMIT_PENDING, ABORT_PENDING --> DEAD (only a new producer helps) --> CLOSED;  every state --close--> CLOSED
 * </pre>
 */
enum ProducerState {
    NEW,
    READY,
    IN_TRANSACTION,
    MUST_ABORT,
    COMMIT_PENDING,
    ABORT_PENDING,
    DEAD,
    CLOSED;

    private Set<ProducerState> next() {
        return switch (this) {
            case NEW -> EnumSet.of(READY, DEAD, CLOSED);
            case READY -> EnumSet.of(IN_TRANSACTION, DEAD, CLOSED);
            case IN_TRANSACTION -> EnumSet.of(MUST_ABORT, COMMIT_PENDING, ABORT_PENDING, CLOSED);
            case MUST_ABORT -> EnumSet.of(ABORT_PENDING, CLOSED);
            case COMMIT_PENDING -> EnumSet.of(READY, MUST_ABORT, DEAD, CLOSED);
            case ABORT_PENDING -> EnumSet.of(READY, DEAD, CLOSED);
            case DEAD -> EnumSet.of(CLOSED);
            case CLOSED -> EnumSet.noneOf(ProducerState.class);
        };
    }

    boolean mayBecome(ProducerState state) {
        return next().contains(state);
    }
}
