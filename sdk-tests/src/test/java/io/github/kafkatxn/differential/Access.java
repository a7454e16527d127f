package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/**
 * The way into a cluster.
 *
 * @param admin configuration of a client that may do everything
 * @param passwords of the users who can log in; with none, nobody has to
 */
record Access(Map<String, Object> admin, Map<String, String> passwords) {
    /** Who makes a request that does not say. */
    static final String GUEST = "guest";

    /** To a cluster in which everybody may do everything. */
    static Access open(String bootstrapServers) {
        return new Access(Map.of("bootstrap.servers", bootstrapServers), Map.of());
    }

    /** A connection to one node, of a user if users have to log in. */
    Wire connect(String user) throws IOException {
        String bootstrapServers =
                Objects.requireNonNull(admin.get("bootstrap.servers")).toString();
        return passwords.isEmpty()
                ? new Wire(bootstrapServers)
                : Wire.loggedIn(bootstrapServers, user, Objects.requireNonNull(passwords.get(user), user));
    }
}
