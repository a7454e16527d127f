/** Benchmarks: the processor against hand-written loops, and one call at a time. Run with the profile {@code bench}. */
@NullMarked
package io.github.kafkatxn.bench;

import org.jspecify.annotations.NullMarked;
