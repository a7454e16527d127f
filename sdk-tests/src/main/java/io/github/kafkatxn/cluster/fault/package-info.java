/**
 * Faults that a test plans, and the log of what went over the wires. Both are reached through the cluster:
 *
 * <pre>{@code
 * FaultRule lost = cluster.faults().on(ApiKeys.END_TXN).transactionalId("orders-0").dropAfterHandling();
 * // ... the commit times out, although it is done: it is in doubt
 * lost.awaitHit();
 * assertThat(cluster.requests().on(ApiKeys.END_TXN).count()).isOne();
 * }</pre>
 */
@NullMarked
package io.github.kafkatxn.cluster.fault;

import org.jspecify.annotations.NullMarked;
