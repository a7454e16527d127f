package io.github.kafkatxn.contract;

/** The producer's contracts on Apache Kafka with {@code transaction.version} 2. */
class ProducerOnTransactionVersion2Test extends ProducerContracts {
    private static final KafkaTarget TARGET = ApacheKafkaTarget.shared(2);

    @Override
    protected KafkaTarget target() {
        return TARGET;
    }
}
