package io.github.kafkatxn.cluster.internal.metadata;

/**
 * A node as the cluster knows it.
 *
 * @param id its id
 * @param host where it listens
 * @param port where it listens
 * @param alive whether it is up
 */
public record NodeInfo(int id, String host, int port, boolean alive) {}
