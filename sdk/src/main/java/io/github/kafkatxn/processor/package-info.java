/**
 * The consume-transform-produce loop, exactly once: poll, transform, produce, commit, and recover from whatever goes
 * wrong.
 *
 * <p>Start at {@link io.github.kafkatxn.processor.ExactlyOnceProcessor}.
 */
@NullMarked
package io.github.kafkatxn.processor;

import org.jspecify.annotations.NullMarked;
