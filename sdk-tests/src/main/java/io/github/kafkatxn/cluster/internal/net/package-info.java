/** Nodes on their sockets: one thread each, connections of clients, links to the other nodes. */
@NullMarked
package io.github.kafkatxn.cluster.internal.net;

import org.jspecify.annotations.NullMarked;
