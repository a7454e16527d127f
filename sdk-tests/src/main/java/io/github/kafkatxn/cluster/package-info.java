/**
 * The reference cluster: a multi-node Kafka in this JVM, for tests. Unmodified clients connect to it, and it does what
 * they cannot be shown on a real broker: lose an answer, stop between two steps, be old, move a coordinator at the
 * worst moment.
 *
 * <p><b>What is left out.</b> Compared with Apache Kafka:
 *
 * <ul>
 *   <li>Disks: logs are kept in memory, also over the restart of a node, and are gone with the cluster. No retention,
 *       no compaction (the topics of the coordinators are read whole), no tiered storage.
 *   <li>Replication: a partition is led by one node, and whoever leads it next has everything. No followers, no unclean
 *       election, no reassignment; the controller is a part of the cluster that no test can stop. An append to a log
 *       does not fail. The topics of the coordinators have as many replicas as there are nodes up, three at most; that
 *       cannot be set.
 *   <li>Levels of features are those that the cluster was started with, but for {@code transaction.version}: an
 *       administrator may change it while the cluster runs.
 *   <li>A group that is in use does not change between the classic and the consumer protocol, as with
 *       {@code group.consumer.migration.policy=disabled}. Offsets of a group that nobody uses do not expire.
 *   <li>Quotas and throttling: every throttle time is 0.
 *   <li>Racks, and fetching from followers.
 *   <li>TLS, SCRAM, GSSAPI, OAUTHBEARER and delegation tokens: clients log in with SASL/PLAIN or not at all.
 *   <li>Groups of Kafka Streams (KIP-1071), dead letter queues of share groups, two-phase commit (KIP-939), client
 *       telemetry.
 *   <li>API keys that no client of transactions, groups or topics sends; an unknown one is answered as a broker answers
 *       it.
 * </ul>
 *
 * <p>What a single API key leaves out is in the documentation of its handler.
 */
@NullMarked
package io.github.kafkatxn.cluster;

import org.jspecify.annotations.NullMarked;
