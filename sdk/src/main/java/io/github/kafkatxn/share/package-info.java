/**
 * Share groups whose acknowledgements can be part of a producer's transaction (KIP-932, KIP-1289).
 *
 * <p>Start at {@link io.github.kafkatxn.share.TransactionalShareConsumer}.
 */
@NullMarked
package io.github.kafkatxn.share;

import org.jspecify.annotations.NullMarked;
