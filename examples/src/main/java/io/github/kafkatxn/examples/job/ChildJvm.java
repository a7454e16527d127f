package io.github.kafkatxn.examples.job;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How to start a JVM with the class path of this one. */
final class ChildJvm {
    private ChildJvm() {}

    static List<String> command(Class<?> main, List<String> args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn",
                "-cp",
                classPath(main.getClassLoader()),
                main.getName()));
        command.addAll(args);
        return command;
    }

    /** The folder the build writes to, or the temporary one if these classes come from elsewhere. */
    static Path buildFolder() {
        Path classes = path(ChildJvm.class.getProtectionDomain().getCodeSource().getLocation());
        Path parent = classes.getParent();
        return parent != null && parent.endsWith("target") ? parent : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Within Maven the class path is that of a class loader; the property {@code java.class.path} is Maven's own. */
    private static String classPath(ClassLoader loader) {
        if (loader instanceof URLClassLoader urls) {
            return Arrays.stream(urls.getURLs())
                    .map(url -> path(url).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    private static Path path(URL url) {
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new JobFailure("a class path entry that is no file: " + url, e);
        }
    }
}
