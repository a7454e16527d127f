/**
 * The outcome of every call in types: what happened in the categories of KIP-1050, and what the caller has to do next.
 *
 * <p>Start at {@link io.github.kafkatxn.result.TxnResult}.
 */
@NullMarked
package io.github.kafkatxn.result;

import org.jspecify.annotations.NullMarked;
