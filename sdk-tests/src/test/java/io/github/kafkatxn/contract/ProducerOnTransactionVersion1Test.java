package io.github.kafkatxn.contract;

/** The producer's contracts on Apache Kafka with {@code transaction.version} 1. */
class ProducerOnTransactionVersion1Test extends ProducerContracts {
    private static final KafkaTarget TARGET = ApacheKafkaTarget.shared(1);

    @Override
    protected KafkaTarget target() {
        return TARGET;
    }
}
