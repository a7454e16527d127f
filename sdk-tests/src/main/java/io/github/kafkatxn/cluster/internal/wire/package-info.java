/** Kafka's frames and messages: from bytes to decoded requests and back, in every version of every key. */
@NullMarked
package io.github.kafkatxn.cluster.internal.wire;

import org.jspecify.annotations.NullMarked;
