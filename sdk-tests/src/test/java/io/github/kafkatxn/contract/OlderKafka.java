package io.github.kafkatxn.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.apache.ApacheKafka;
import java.nio.file.Files;
import java.nio.file.Path;

/** Brokers of older releases, where somebody has fetched their jars. */
final class OlderKafka {
    private OlderKafka() {}

    /** Skips the test without the jars, and says how to get them. */
    static ApacheKafkaTarget start(String version, int transactionVersion) {
        Path libs = Path.of("apache-kafka", "target", "libs-" + version);
        assumeTrue(
                Files.isDirectory(libs),
                () -> "no broker " + version + " in " + libs + "; this fetches it: mvn -q -pl sdk-tests/apache-kafka"
                        + " generate-resources -Dkafka.version=" + version + " -Dbroker.libs=libs-" + version);
        ApacheKafka kafka = ApacheKafka.builder()
                // Later ones do so without being told.
                .brokerProperty("group.coordinator.rebalance.protocols", "classic,consumer")
                .libs(libs)
                .transactionVersion(transactionVersion)
                .quickStart()
                .relayed()
                .start();
        return new ApacheKafkaTarget(kafka, transactionVersion, null);
    }
}
