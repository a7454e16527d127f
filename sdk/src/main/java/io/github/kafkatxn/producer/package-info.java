/**
 * One transactional producer, one open transaction at a time, every outcome a result.
 *
 * <p>Start at {@link io.github.kafkatxn.producer.TransactionalProducer}.
 */
@NullMarked
package io.github.kafkatxn.producer;

import org.jspecify.annotations.NullMarked;
