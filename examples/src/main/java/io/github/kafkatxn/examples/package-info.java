/**
 * Applications worth copying: {@link io.github.kafkatxn.examples.RowsToEvents} consumes, transforms and produces;
 * {@link io.github.kafkatxn.examples.RowWorkers} does so in a share group;
 * {@link io.github.kafkatxn.examples.BatchSender} sends batches, all of a batch or nothing.
 *
 * <p>{@link io.github.kafkatxn.examples.Main} runs one of the first two while it is being hurt, and counts.
 */
@NullMarked
package io.github.kafkatxn.examples;

import org.jspecify.annotations.NullMarked;
