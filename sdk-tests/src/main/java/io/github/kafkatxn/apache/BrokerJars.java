package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder with the published jars of the broker, and the version they are of. */
record BrokerJars(Path folder, String version) {
    static final String PROPERTY = "kafkatxn.apacheKafka.libs";

    private static final Pattern CORE = Pattern.compile("kafka_2\\.\\d+-(\\d.*)\\.jar");

    /**
     * Looks where the settings say, else where the system property says, else beside the build output this class was
     * loaded from. The first that is given has to be right.
     */
    static BrokerJars find(@Nullable Path configured) {
        String property = System.getProperty(PROPERTY);
        if (configured != null) {
            return in(configured, "the setting libs");
        }
        return property != null && !property.isBlank()
                ? in(Path.of(property), "the system property " + PROPERTY)
                : in(besideBuildOutput(codeSource()), "the place where this repository's build puts them");
    }

    /** Where this class was loaded from: a folder of classes or a jar. */
    static Path codeSource() {
        CodeSource source = BrokerJars.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalStateException(BrokerJars.class + " was loaded from nowhere a child process could use");
        }
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("not a path: " + source.getLocation(), e);
        }
    }

    private static Path besideBuildOutput(Path codeSource) {
        Path target = codeSource.toAbsolutePath().getParent();
        return (target == null ? codeSource : target)
                .resolveSibling("apache-kafka")
                .resolve("target")
                .resolve("libs");
    }

    private static BrokerJars in(Path folder, String why) {
        return versionIn(folder)
                .map(version -> new BrokerJars(folder.toAbsolutePath(), version))
                .orElseThrow(() -> new IllegalStateException("no jar of the Apache Kafka broker (kafka_2.13-*.jar) in "
                        + folder.toAbsolutePath() + ", " + why
                        + ". In this repository, build the module sdk-tests/apache-kafka"
                        + " (mvn -pl sdk-tests/apache-kafka generate-resources)."
                        + " Elsewhere, copy org.apache.kafka:kafka_2.13 and org.slf4j:slf4j-simple with all their"
                        + " dependencies into one folder"
                        + " (mvn dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=FOLDER)"
                        + " and name it: -D" + PROPERTY + "=FOLDER, or libs(FOLDER) in the settings"));
    }

    private static Optional<String> versionIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> CORE.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> match.group(1))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }
}
