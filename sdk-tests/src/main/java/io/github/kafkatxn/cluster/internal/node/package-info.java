/** What a node gives to everything that runs on it: its one thread, its time, its way to the other nodes. */
@NullMarked
package io.github.kafkatxn.cluster.internal.node;

import org.jspecify.annotations.NullMarked;
