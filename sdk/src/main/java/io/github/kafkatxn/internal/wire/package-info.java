/**
 * Requests of this library's own to brokers, over the network classes of kafka-clients and with the configuration of
 * the producer they are for. Not for users: anything here may change.
 */
@NullMarked
package io.github.kafkatxn.internal.wire;

import org.jspecify.annotations.NullMarked;
