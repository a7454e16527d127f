package io.github.kafkatxn.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.apache.ApacheKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The contracts on older releases of Apache Kafka, where somebody has fetched their jars: offsets by name and by the
 * client's own call.
 */
class OnOlderKafkaTest {

    @Nested
    class On41 extends OnOlder {
        On41() {
            super("4.1.2", 2);
        }
    }

    @Nested
    class On39 extends OnOlder {
        On39() {
            super("3.9.2", 0);
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnOlder {
        @AutoClose
        private final ApacheKafkaTarget target;

        OnOlder(String version, int transactionVersion) {
            Path libs = Path.of("apache-kafka", "target", "libs-" + version);
            assumeTrue(
                    Files.isDirectory(libs),
                    () -> "no broker " + version + " in " + libs
                            + "; this fetches it: mvn -q -pl sdk-tests/apache-kafka"
                            + " generate-resources -Dkafka.version=" + version + " -Dbroker.libs=libs-" + version);
            ApacheKafka kafka = ApacheKafka.builder()
                    .libs(libs)
                    .transactionVersion(transactionVersion)
                    // Later ones do so without being told.
                    .brokerProperty("group.coordinator.rebalance.protocols", "classic,consumer")
                    .quickStart()
                    .relayed()
                    .fencedLate()
                    .start();
            target = new ApacheKafkaTarget(kafka, transactionVersion, null);
        }

        @Nested
        class Producer extends ProducerContracts {
            @Override
            protected KafkaTarget target() {
                return target;
            }
        }

        @Nested
        class Processor extends ProcessorContracts {
            @Override
            protected KafkaTarget target() {
                return target;
            }
        }
    }
}
