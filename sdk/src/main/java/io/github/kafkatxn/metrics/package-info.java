/**
 * Meters and observations of transactions and processors, with Micrometer.
 *
 * <p>The only package that uses Micrometer. {@code micrometer-core} and {@code micrometer-observation} are optional
 * dependencies: everything else works without them on the class path.
 */
@NullMarked
package io.github.kafkatxn.metrics;

import org.jspecify.annotations.NullMarked;
