package io.github.kafkatxn.contract;

/** The processor's contracts on Apache Kafka with {@code transaction.version} 1. */
class ProcessorOnTransactionVersion1Test extends ProcessorContracts {
    private static final KafkaTarget TARGET = ApacheKafkaTarget.shared(1);

    @Override
    protected KafkaTarget target() {
        return TARGET;
    }
}
