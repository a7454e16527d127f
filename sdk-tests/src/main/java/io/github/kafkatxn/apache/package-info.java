/**
 * A real Apache Kafka for tests, started as child processes from its published Maven artifacts: no Docker, no
 * installation.
 *
 * <p>{@link io.github.kafkatxn.apache.ApacheKafka} is the running cluster,
 * {@link io.github.kafkatxn.apache.ApacheKafkaSettings} says what it looks like. The brokers run in JVMs of their own,
 * so a test may kill, stop, pause and restart them as an operator, or bad luck, would.
 */
@NullMarked
package io.github.kafkatxn.apache;

import org.jspecify.annotations.NullMarked;
