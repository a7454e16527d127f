package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.util.OptionalInt;

/**
 * A request as the selectors look at it.
 *
 * @param node the node it came to
 * @param sender the node that sent it; empty if a client did
 * @param request the request
 * @param image what the node knew of the cluster when it came
 */
record Seen(int node, OptionalInt sender, RequestFrame request, ClusterImage image) {}
