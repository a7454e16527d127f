package io.github.kafkatxn.cluster.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever comes over a connection ends that connection at most; the node goes on, and the extension looks for leaks.
 */
@Timeout(60)
@WithKafka
class HostileBytesTest {

    @AfterEach
    void theNodeGoesOn(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            assertThat(client.apiVersions().errorCode()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 104_857_601, 0, 1, 7})
    void aFrameOfASizeThatCannotBe(int size, ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            client.write(ByteBuffer.allocate(4 + Math.max(0, Math.min(size, 7)))
                    .putInt(size)
                    .array());
            assertThat(client.isClosedByNode()).isTrue();
        }
    }

    @Test
    void aHugeFrameTakesMemoryForWhatHasComeOnly(ReferenceCluster cluster) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            RawClient client = RawClient.of(cluster);
            clients.add(client);
            client.write(ByteBuffer.allocate(8).putInt(104_857_600).array());
        }
        theNodeGoesOn(cluster);
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void aFrameThatIsCutShort(ReferenceCluster cluster) throws IOException {
        byte[] whole = versionsFrame(1, 3);
        for (int length = 1; length < whole.length; length++) {
            try (RawClient client = RawClient.of(cluster)) {
                client.write(Arrays.copyOf(whole, length));
            }
        }
    }

    @Test
    void aRequestThatEndsTooEarly(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            client.write(resized(versionsFrame(1, 3), -1));
            assertThat(client.isClosedByNode()).isTrue();
        }
    }

    @Test
    void bytesBehindARequestArePassedOverAsByABroker(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            client.write(resized(versionsFrame(1, 3), 3));
            assertThat(client.read(new ApiVersionsRequestData(), 3, ApiVersionsResponseData.class)
                            .errorCode())
                    .isZero();
            assertThat(client.apiVersions().errorCode()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void garbage(long seed, ReferenceCluster cluster) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            byte[] body = new byte[8 + random.nextInt(200)];
            random.nextBytes(body);
            ByteBuffer frame =
                    ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body);
            frame.putShort(4, (short) random.nextInt(95)).putShort(6, (short) random.nextInt(-1, 14));
            try (RawClient client = RawClient.of(cluster)) {
                client.write(frame.array());
            }
        }
    }

    @Test
    void unknownKeysAndVersionsAreClosedOnAsByABroker(ReferenceCluster cluster) throws IOException {
        for (int[] start : new int[][] {{999, 0}, {-1, 0}, {ApiKeys.METADATA.id, 99}, {ApiKeys.METADATA.id, -1}}) {
            try (RawClient client = RawClient.of(cluster)) {
                client.write(ByteBuffer.allocate(4 + 10)
                        .putInt(10)
                        .putShort((short) start[0])
                        .putShort((short) start[1])
                        .putInt(7)
                        .putShort((short) -1)
                        .array());
                assertThat(client.isClosedByNode()).isTrue();
            }
        }
    }

    @Test
    void whatEndsAConnectionIsLoggedOnce(ReferenceCluster cluster) throws IOException {
        byte[] unknownKey = versionsFrame(1, 3);
        ByteBuffer.wrap(unknownKey).putShort(4, (short) 999);
        List<byte[]> frames = List.of(
                ByteBuffer.allocate(4).putInt(-1).array(),
                ByteBuffer.allocate(5).putInt(1).array(),
                resized(versionsFrame(1, 3), -1),
                unknownKey);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream err = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (byte[] frame : frames) {
                try (RawClient client = RawClient.of(cluster)) {
                    client.write(frame);
                    assertThat(client.isClosedByNode()).isTrue();
                }
            }
            theNodeGoesOn(cluster);
        } finally {
            System.setErr(err);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .hasSize(frames.size())
                .allMatch(line -> line.contains("node 0 closes the connection from"));
    }

    @Test
    void anUnknownVersionOfApiVersionsIsAnsweredInVersion0(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            byte[] frame = versionsFrame(1, 3);
            ByteBuffer.wrap(frame).putShort(6, (short) 77);
            client.write(frame);
            ApiVersionsResponseData answer =
                    client.read(new ApiVersionsRequestData(), 0, ApiVersionsResponseData.class);
            assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
            assertThat(answer.apiKeys().find(ApiKeys.API_VERSIONS.id).maxVersion())
                    .isEqualTo((short) 5);

            assertThat(client.apiVersions().errorCode()).isZero();
        }
    }

    @Test
    void oneByteAtATime(ReferenceCluster cluster) throws IOException {
        try (RawClient slow = RawClient.of(cluster);
                RawClient other = RawClient.of(cluster)) {
            for (byte one : versionsFrame(0, 3)) {
                slow.write(new byte[] {one});
                other.apiVersions();
            }
            assertThat(slow.read(new ApiVersionsRequestData(), 3, ApiVersionsResponseData.class)
                            .errorCode())
                    .isZero();
        }
    }

    @Test
    void manyRequestsAtOnceAreAnsweredInOrder(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            ByteBuffer all = ByteBuffer.allocate(100_000);
            for (int i = 0; i < 100; i++) {
                all.put(versionsFrame(i, 3));
            }
            client.write(Arrays.copyOf(all.array(), all.position()));
            for (int i = 0; i < 100; i++) {
                client.read(new ApiVersionsRequestData(), 3, ApiVersionsResponseData.class);
                assertThat(client.lastAnswered()).isEqualTo(i);
            }
        }
    }

    @Test
    void whoDoesNotReadAnswersGetsNoMoreOfThem(ReferenceCluster cluster) throws IOException {
        FaultRule seen = cluster.faults()
                .on(ApiKeys.API_VERSIONS)
                .clientId("flood")
                .everyTime()
                .observe();
        byte[] frame = Encoder.request(
                        MessageFormat.of(ApiKeys.API_VERSIONS.id).orElseThrow(),
                        (short) 3,
                        0,
                        "flood",
                        RawClient.versionsRequest())
                .array();
        int flood = 200_000;
        try (RawClient client = RawClient.of(cluster)) {
            Thread writer = new Thread(() -> flood(client, frame, flood));
            writer.start();
            int before = 0;
            for (int same = 0; same < 20; same++) {
                theNodeGoesOn(cluster);
                int now = seen.hits();
                same = now == before ? same : 0;
                before = now;
            }
            assertThat(seen.hits()).isBetween(1, flood - 1);
        }
    }

    @Test
    void twoHundredConnections(ReferenceCluster cluster) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            clients.add(RawClient.of(cluster));
        }
        for (RawClient client : clients) {
            assertThat(client.apiVersions().errorCode()).isZero();
        }
        for (RawClient client : clients.subList(0, 100)) {
            client.close();
        }
        // The others are half open: the cluster closes with them still there.
        clients.get(150).write(new byte[] {0, 0});
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, AssertionError.class})
    void anErrorOnTheNodesThread(Class<? extends Error> type, ReferenceCluster cluster) throws Exception {
        Error error = type.getDeclaredConstructor().newInstance();
        FaultRule rule = cluster.faults()
                .on(ApiKeys.API_VERSIONS)
                .where(ApiVersionsRequestData.class, request -> {
                    if (request.clientSoftwareName().equals("raw")) {
                        throw error;
                    }
                    return false;
                })
                .dropBeforeHandling();
        try (RawClient client = RawClient.of(cluster)) {
            client.write(RawClient.versionsRequest(), 3);
            if (error instanceof AssertionError) {
                // The test's own failure: told at its end, and no reason to leave the client without an answer.
                client.read(RawClient.versionsRequest(), 3, ApiVersionsResponseData.class);
            } else {
                assertThat(client.isClosedByNode()).isTrue();
            }
        }
        rule.remove();
        cluster.faults().clear();
    }

    private static byte[] versionsFrame(int correlationId, int version) {
        return Encoder.request(
                        MessageFormat.of(ApiKeys.API_VERSIONS.id).orElseThrow(),
                        (short) version,
                        correlationId,
                        "hostile",
                        RawClient.versionsRequest())
                .array();
    }

    private static byte[] resized(byte[] frame, int change) {
        byte[] other = Arrays.copyOf(frame, frame.length + change);
        ByteBuffer.wrap(other).putInt(other.length - 4);
        return other;
    }

    private static void flood(RawClient client, byte[] frame, int count) {
        try {
            for (int i = 0; i < count; i++) {
                client.write(frame);
            }
        } catch (IOException e) {
            // The test has seen enough and has closed the connection.
        }
    }
}
