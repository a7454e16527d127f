package io.github.kafkatxn.chaos;

/** Where in a transaction something happens. */
enum Phase {
    SEND,
    OFFSETS,
    COMMIT,
    ABORT
}
