package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A {@code KafkaProducer} that works as ever, and whose inside has other names than in this version: it sends offsets
 * by itself, and that is said once. In a class loader and with a log of its own.
 */
@Timeout(60)
@WithKafka
class AnotherClientTest {
    private Path log;

    @BeforeEach
    void logOfItsOwn(@TempDir Path folder) {
        log = folder.resolve("log");
    }

    /** One name is looked for when the producer is made, the other is missed by the first offsets. */
    @ParameterizedTest
    @CsvSource({"isTransactionV2Enabled, isTransactionV2Allowed", "setTopicId, setTopicNo"})
    void aClientOfAnotherShapeSendsOffsetsByItself(String name, String otherName, ReferenceCluster cluster)
            throws Exception {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            assertThat(commitTwice(cluster, name, otherName)).isEqualTo("UNKNOWN_CLIENT UNKNOWN_CLIENT");

            assertThat(fixture.committed(IN)).isEqualTo(5);
            assertThat(fixture.versions()).as("its own").containsExactly(6, 6);
            assertThat(lines("The inside of the producer is not as expected"))
                    .singleElement()
                    .asString()
                    .contains("WARN", name);
        }
    }

    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void theVersionAndTheReasonForItAreInTheDebugLog(ReferenceCluster cluster) throws Exception {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            assertThat(commitTwice(cluster, "same", "same")).isEqualTo("OLD_COORDINATOR OLD_COORDINATOR");

            assertThat(fixture.versions()).containsExactly(5, 5);
            assertThat(lines("TxnOffsetCommit version 5 to node")).hasSize(2).allMatch(line -> line.contains("DEBUG"));
            assertThat(lines("OLD_COORDINATOR")).hasSize(2).allMatch(line -> line.contains("DEBUG"));
            assertThat(lines("not as expected")).isEmpty();
        }
    }

    private String commitTwice(ReferenceCluster cluster, String name, String otherName) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Renaming loader = new Renaming(name, otherName, log)) {
            thread.setContextClassLoader(loader);
            @SuppressWarnings("unchecked") // Between class loaders, where only types of Java are the same.
            Function<String, String> work = (Function<String, String>)
                    loader.loadClass(Work.class.getName()).getConstructor().newInstance();
            return work.apply(cluster.bootstrapServers());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private List<String> lines(String part) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains(part))
                .toList();
    }

    /** Two producers commit the offset 5, and tell how. */
    public static final class Work implements Function<String, String> {
        /** For reflection. */
        public Work() {}

        @Override
        public String apply(String bootstrapServers) {
            return commit(bootstrapServers, "first") + " " + commit(bootstrapServers, "second");
        }

        private static String commit(String bootstrapServers, String id) {
            ProducerSettings settings = ProducerSettings.builder()
                    .bootstrapServers(bootstrapServers)
                    .transactionalId(id)
                    .build();
            try (TransactionalProducer<String, String> producer =
                    TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new)) {
                producer.init().orElseThrow();
                Transaction<String, String> transaction =
                        producer.beginTransaction().orElseThrow();
                OffsetsFixture.send(transaction, IN).orElseThrow();
                transaction.commit().orElseThrow();
                return transaction.offsetsPath().orElseThrow().name();
            }
        }
    }

    /** Loads everything anew; what has the name in the client has another one there, wherever it is used. */
    private static final class Renaming extends URLClassLoader {
        private final String name;
        private final String otherName;
        private final Path log;

        /** The names are equally long, so that class files stay what they are. */
        Renaming(String name, String otherName, Path log) throws IOException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            this.name = name;
            this.otherName = otherName;
            this.log = log;
        }

        private static URL[] classPath() throws IOException {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> findClass(String type) throws ClassNotFoundException {
            if (!type.startsWith("org.apache.kafka.")) {
                return super.findClass(type);
            }
            String file = type.replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(super.getResourceAsStream(file), file)) {
                byte[] renamed = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                        .replace(name, otherName)
                        .getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(type, renamed, 0, renamed.length);
            } catch (IOException | NullPointerException e) {
                throw new ClassNotFoundException(type, e);
            }
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String resource) {
            return resource.equals("simplelogger.properties")
                    ? new ByteArrayInputStream(("org.slf4j.simpleLogger.logFile=" + log
                                    + "\norg.slf4j.simpleLogger.log.io.github.kafkatxn=debug")
                            .getBytes(StandardCharsets.ISO_8859_1))
                    : super.getResourceAsStream(resource);
        }
    }
}
