/** Logs of partitions as their leader keeps them: batches, producers, transactions, what a reader may see. */
@NullMarked
package io.github.kafkatxn.cluster.internal.log;

import org.jspecify.annotations.NullMarked;
