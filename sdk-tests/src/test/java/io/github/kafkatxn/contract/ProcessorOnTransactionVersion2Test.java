package io.github.kafkatxn.contract;

/** The processor's contracts on Apache Kafka with {@code transaction.version} 2. */
class ProcessorOnTransactionVersion2Test extends ProcessorContracts {
    private static final KafkaTarget TARGET = ApacheKafkaTarget.shared(2);

    @Override
    protected KafkaTarget target() {
        return TARGET;
    }
}
