package io.github.kafkatxn.result;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;

/** The exception classes of the kafka-clients jar on the class path. */
final class ClientExceptions {
    private ClientExceptions() {}

    /** {@return every exception that an application can be thrown, sorted by name} */
    static List<Class<?>> all() throws IOException, URISyntaxException {
        Path jar = Path.of(
                Errors.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(ClientExceptions::mayBeThrown)
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .<Class<?>>map(ClientExceptions::load)
                    .filter(Throwable.class::isAssignableFrom)
                    .toList();
        }
    }

    /** {@return the codes that come as this very class} */
    static List<Errors> codes(Class<?> type) {
        return Stream.of(Errors.values())
                .filter(code -> code.exception() != null && code.exception().getClass() == type)
                .toList();
    }

    private static boolean mayBeThrown(String name) {
        boolean kafka = name.startsWith("org/apache/kafka/clients/") || name.startsWith("org/apache/kafka/common/");
        boolean exception = name.endsWith("Exception.class") || name.startsWith("org/apache/kafka/common/errors/");
        return kafka && exception && name.endsWith(".class") && !name.contains("/internals/");
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, Errors.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
