package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * By the answer to ApiVersions clients choose how they talk: it is that of Apache Kafka, as far as keys and features
 * are known here, but for the differences that this test names.
 */
@Timeout(120)
class ListedVersionsTest {

    /** Version 0 of the handshake is followed by bytes that are no requests: no client here sends that. */
    private static final Map<Short, VersionRange> DIFFERENT = Map.of(ApiKeys.SASL_HANDSHAKE.id, VersionRange.of(1, 1));

    @ParameterizedTest(name = "transaction.version {0}, ApiVersions v{1}")
    @CsvSource({"1,0", "1,3", "1,4", "1,5", "2,3", "2,5"})
    void areThoseOfApacheKafka(int transactionVersion, int version) throws IOException {
        ClusterSettings settings =
                ClusterSettings.builder().transactionVersion(transactionVersion).build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings)) {
            ApiVersionsResponseData listed = ask(cluster.bootstrapServers(), version);
            ApiVersionsResponseData real =
                    ask(ApacheKafka.shared(transactionVersion).bootstrapServers(), version);

            Map<Short, VersionRange> expected = versions(real);
            expected.keySet().retainAll(versions(listed).keySet());
            expected.putAll(DIFFERENT);
            assertThat(versions(listed)).isEqualTo(expected).hasSizeGreaterThan(50);
            assertThat(real.supportedFeatures()).containsAll(listed.supportedFeatures());
            assertThat(listed.supportedFeatures()).hasSize(version >= 4 ? 3 : 0);
            assertThat(real.finalizedFeatures()).containsAll(listed.finalizedFeatures());
            assertThat(listed.finalizedFeatures()).hasSize(version >= 3 ? 3 : 0);
        }
    }

    private static Map<Short, VersionRange> versions(ApiVersionsResponseData answer) {
        Map<Short, VersionRange> versions = new TreeMap<>();
        answer.apiKeys()
                .forEach(api -> versions.put(api.apiKey(), new VersionRange(api.minVersion(), api.maxVersion())));
        return versions;
    }

    private static ApiVersionsResponseData ask(String address, int version) throws IOException {
        try (RawClient client = new RawClient(address)) {
            return client.send(RawClient.versionsRequest(), version, ApiVersionsResponseData.class);
        }
    }
}
