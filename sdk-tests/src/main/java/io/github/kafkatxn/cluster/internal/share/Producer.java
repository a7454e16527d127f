package io.github.kafkatxn.cluster.internal.share;

/**
 * The producer whose transaction acknowledgements belong to.
 *
 * @param transactionalId its transactional id
 * @param id its producer id
 * @param epoch its epoch
 */
public record Producer(String transactionalId, long id, short epoch) {}
