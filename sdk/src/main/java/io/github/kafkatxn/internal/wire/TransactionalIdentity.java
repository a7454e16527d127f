package io.github.kafkatxn.internal.wire;

/**
 * Whose transaction a request belongs to.
 *
 * @param transactionalId the producer's transactional id
 * @param producerId the id that the coordinator has given it
 * @param epoch the epoch of its open transaction
 */
public record TransactionalIdentity(String transactionalId, long producerId, short epoch) {}
