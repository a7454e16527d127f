package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks loopback ports that are free now.
 *
 * <p>Taken from below the range that operating systems hand to outgoing connections. A client that keeps trying to
 * reach a killed broker may otherwise be given the broker's own port as its local one, connect to itself, and keep the
 * broker from coming back.
 */
final class FreePorts {
    static final int FIRST = 15_000;
    static final int LAST = 31_999;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /**
     * Distinct ports. Another process may still take one before it is used, so a start that fails on it tries again.
     */
    static List<Integer> pick(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("no " + count + " free ports on " + loopback() + " from " + FIRST
                            + " to " + LAST + " in " + ATTEMPTS + " attempts");
                }
                tryHold(ThreadLocalRandom.current().nextInt(FIRST, LAST + 1), held);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for free ports on " + loopback(), e);
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static void tryHold(int port, List<ServerSocket> held) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(loopback(), port));
            held.add(socket);
        } catch (BindException taken) {
            socket.close();
        }
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release port " + socket.getLocalPort(), e);
        }
    }
}
