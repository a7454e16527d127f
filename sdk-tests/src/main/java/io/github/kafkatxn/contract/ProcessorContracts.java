package io.github.kafkatxn.contract;

import org.junit.jupiter.api.Nested;

/**
 * All contracts of the processor that need no broker settings of their own, on one target.
 *
 * <pre>{@code
 * class ProcessorOnMyKafkaTest extends ProcessorContracts {
 *     protected KafkaTarget target() {
 *         return myKafka;
 *     }
 * }
 * }</pre>
 */
public abstract class ProcessorContracts {

    /** For subclasses. */
    protected ProcessorContracts() {}

    /** {@return the Kafka to test on; the same one on every call} */
    protected abstract KafkaTarget target();

    @Nested
    class Basics extends ProcessorBasicsContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class DeadLetters extends ProcessorDeadLetterContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Rewind extends ProcessorRewindContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Topics extends ProcessorTopicsContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Stop extends ProcessorStopContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Usage extends ProcessorUsageContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class OutputPlaces extends ProcessorOutputsContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Fencing extends ProcessorFencingContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Rebalance extends ProcessorRebalanceContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }

    @Nested
    class Doubt extends ProcessorDoubtContract {
        @Override
        protected KafkaTarget target() {
            return ProcessorContracts.this.target();
        }
    }
}
