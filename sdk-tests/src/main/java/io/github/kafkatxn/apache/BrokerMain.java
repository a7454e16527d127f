package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Main class of a broker's JVM: formats the log directory the first time, then hands over to {@code kafka.Kafka}.
 *
 * <p>Its standard input is a pipe whose other end is held by the JVM that started it. The operating system closes that
 * end when the JVM goes, however it goes, and this JVM halts at once: nothing survives a test run that was killed. Uses
 * the JDK and, by reflection, the broker's own jars; nothing else may be needed here.
 */
final class BrokerMain {

    /** Exit status after the starting JVM has gone. */
    static final int ORPHANED = 97;

    private BrokerMain() {}

    /**
     * Arguments: the server properties, the file that exists once formatted, then the arguments of the storage tool.
     */
    public static void main(String[] args) throws Exception {
        haltWithParent();
        Path formatted = Path.of(args[1]);
        if (!Files.exists(formatted)) {
            format(Arrays.copyOfRange(args, 2, args.length));
        }
        Class.forName("kafka.Kafka").getMethod("main", String[].class).invoke(null, (Object) new String[] {args[0]});
    }

    /** In this JVM, because a JVM just for formatting costs more than a second. */
    private static void format(String[] args) throws ReflectiveOperationException {
        Object status = Class.forName("kafka.tools.StorageTool")
                .getMethod("execute", String[].class, PrintStream.class)
                .invoke(null, args, System.err);
        if (!Integer.valueOf(0).equals(status)) {
            throw new IllegalStateException("formatting ended with status " + status + ": " + Arrays.toString(args));
        }
    }

    private static void haltWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is ever sent; only the end counts.
                        }
                    } catch (IOException e) {
                        System.err.println("parent watch: " + e);
                    }
                    Runtime.getRuntime().halt(ORPHANED);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
