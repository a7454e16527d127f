/**
 * What the SDK promises, as tests that run on any Kafka: extend {@link io.github.kafkatxn.contract.ProducerContracts}
 * and say which {@link io.github.kafkatxn.contract.KafkaTarget} it is.
 */
@NullMarked
package io.github.kafkatxn.contract;

import org.jspecify.annotations.NullMarked;
