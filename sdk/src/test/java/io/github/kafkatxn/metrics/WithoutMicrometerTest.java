package io.github.kafkatxn.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Micrometer is optional: without its jars everything but this package loads and works. */
class WithoutMicrometerTest {
    private URLClassLoader loader;

    @BeforeEach
    void classPathWithoutMicrometer() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!Path.of(entry).getFileName().toString().startsWith("micrometer")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
    }

    @Test
    void micrometerIsReallyNotThere() {
        assertThatThrownBy(() -> load(TransactionMetrics.class.getName()).getDeclaredMethods())
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("io/micrometer");
    }

    @Test
    void everyClassOutsideThisPackageLoads() throws Exception {
        for (String name : classesOutsideThisPackage()) {
            Class<?> type = load(name);
            assertThat(type.getClassLoader()).as(name).isSameAs(loader);
            // Resolves every type in the signatures.
            assertThat(type.getDeclaredMethods()).as(name).isNotNull();
            assertThat(type.getDeclaredConstructors()).as(name).isNotNull();
            assertThat(type.getDeclaredFields()).as(name).isNotNull();
        }
    }

    @Test
    void producersAndSettingsWork() throws Exception {
        Object probe = load(Probe.class.getName()).getDeclaredConstructor().newInstance();

        assertThat(((Supplier<?>) probe).get()).isEqualTo("group-0-1-0, init comes first: true");
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, true, loader);
    }

    private static List<String> classesOutsideThisPackage() throws Exception {
        URI root = TransactionalProducer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path classes = Path.of(root);
        try (Stream<Path> files = Files.walk(classes)) {
            List<String> names = files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.'))
                    .filter(name -> !name.startsWith(TransactionMetrics.class.getPackageName() + "."))
                    .toList();
            assertThat(names).contains(TransactionalProducer.class.getName(), ProcessorSettings.class.getName());
            return names;
        }
    }

    /** Runs in the class loader without Micrometer. */
    public static final class Probe implements Supplier<String> {
        /** For reflection. */
        public Probe() {}

        @Override
        public String get() {
            ProcessorSettings processor = ProcessorSettings.builder()
                    .bootstrapServers("localhost:9092")
                    .groupId("group")
                    .inputTopics("input")
                    .transactionListener(new TransactionListener() {})
                    .listener(new ProcessorListener() {})
                    .build();
            ProducerSettings settings = ProducerSettings.builder()
                    .bootstrapServers("localhost:9092")
                    .transactionalId("id")
                    .build();
            try (TransactionalProducer<String, String> producer =
                    TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new)) {
                return processor.transactionalId(1, 0) + ", init comes first: "
                        + producer.beginTransaction().error().isPresent();
            }
        }
    }
}
