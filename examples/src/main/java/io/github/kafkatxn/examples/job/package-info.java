/**
 * The job around {@link io.github.kafkatxn.examples.RowsToEvents} or {@link io.github.kafkatxn.examples.RowWorkers}:
 * feeds it, hurts it, counts what comes out.
 */
@NullMarked
package io.github.kafkatxn.examples.job;

import org.jspecify.annotations.NullMarked;
