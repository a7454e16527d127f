/** How a fault plan works: rules meet the requests of every node, and the log of them all. */
@NullMarked
package io.github.kafkatxn.cluster.internal.fault;

import org.jspecify.annotations.NullMarked;
