package io.github.kafkatxn.contract;

import org.junit.jupiter.api.Nested;

/**
 * All contracts of the producer that need no broker settings of their own, on one target.
 *
 * <pre>{@code
 * class ProducerOnMyKafkaTest extends ProducerContracts {
 *     protected KafkaTarget target() {
 *         return myKafka;
 *     }
 * }
 * }</pre>
 */
public abstract class ProducerContracts {

    /** For subclasses. */
    protected ProducerContracts() {}

    /** {@return the Kafka to test on; the same one on every call} */
    protected abstract KafkaTarget target();

    @Nested
    class Commit extends CommitContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Usage extends UsageContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Offsets extends OffsetsContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Records extends RecordContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Delivery extends DeliveryContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Callback extends CallbackContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class Init extends InitContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }

    @Nested
    class CloseRace extends CloseRaceContract {
        @Override
        protected KafkaTarget target() {
            return ProducerContracts.this.target();
        }
    }
}
