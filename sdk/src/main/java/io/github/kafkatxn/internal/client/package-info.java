/**
 * What this library has to know of the inside of kafka-clients: the only reflection there is. Not for users: anything
 * here may change.
 */
@NullMarked
package io.github.kafkatxn.internal.client;

import org.jspecify.annotations.NullMarked;
