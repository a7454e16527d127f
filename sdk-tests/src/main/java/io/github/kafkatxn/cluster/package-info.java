/**
 * The reference cluster: a multi-node Kafka in this JVM, for tests. Unmodified clients connect to it, and it does what
 * they cannot be shown on a real broker: lose an answer, stop between two steps, be old, move a coordinator at the
 * worst moment.
 */
@NullMarked
package io.github.kafkatxn.cluster;

import org.jspecify.annotations.NullMarked;
