/** The job around {@link io.github.kafkatxn.examples.RowsToEvents}: feeds it, hurts it, counts what comes out. */
@NullMarked
package io.github.kafkatxn.examples.job;

import org.jspecify.annotations.NullMarked;
