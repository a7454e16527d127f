package io.github.kafkatxn.cluster.internal.api;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who logs in by what, and which connections are about to. Belongs to the node's thread. */
final class Logins {
    private static final int PARTS = 3;

    private final Set<Long> begun = new HashSet<>();
    private final Map<String, String> passwords;

    Logins(Map<String, String> passwords) {
        this.passwords = passwords;
    }

    void begin(ClientConnection connection) {
        if (begun.add(connection.id())) {
            connection.onClose(() -> begun.remove(connection.id()));
        }
    }

    /** {@return whether the connection had chosen a mechanism; it has to do so again} */
    boolean take(ClientConnection connection) {
        return begun.remove(connection.id());
    }

    /** {@return why what the mechanism PLAIN has sent is refused, empty if it is right} */
    Optional<String> refusal(String token) {
        String[] parts = token.split("\0", -1);
        if (parts.length != PARTS) {
            return Optional.of("Invalid SASL/PLAIN response: expected 3 tokens, got " + parts.length);
        }
        if (parts[1].isEmpty()) {
            return Optional.of("Authentication failed: username not specified");
        }
        if (parts[2].isEmpty()) {
            return Optional.of("Authentication failed: password not specified");
        }
        if (!parts[2].equals(passwords.get(parts[1]))) {
            return Optional.of("Authentication failed: Invalid username or password");
        }
        return parts[0].isEmpty() || parts[0].equals(parts[1])
                ? Optional.empty()
                : Optional.of("Authentication failed: Client requested an authorization id that is different from"
                        + " username");
    }

    static String user(String token) {
        return token.split("\0", -1)[1];
    }
}
