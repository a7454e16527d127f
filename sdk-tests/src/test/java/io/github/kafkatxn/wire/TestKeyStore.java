package io.github.kafkatxn.wire;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A key store with a certificate for this machine that trusts itself, made by the JDK's own tool. */
final class TestKeyStore {
    static final String PASSWORD = "store-secret";

    private TestKeyStore() {}

    static String in(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("broker.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keyalg",
                        "EC",
                        "-alias",
                        "broker",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1"))
                .inheritIO()
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool has not made " + store);
        }
        return store.toString();
    }
}
