package io.github.kafkatxn.cluster.internal.group;

/**
 * Who asks, and how.
 *
 * @param version the version of the request
 * @param clientId what the client calls itself
 * @param clientHost where it is
 */
public record Caller(short version, String clientId, String clientHost) {}
