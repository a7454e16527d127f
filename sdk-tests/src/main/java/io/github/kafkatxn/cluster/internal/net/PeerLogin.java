package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * By what a node logs in to another one, where everybody has to.
 *
 * @param user its name
 * @param password its password
 */
record PeerLogin(String user, String password) {

    /** {@return the login of nodes, empty if nobody has to log in} */
    static Optional<PeerLogin> of(NodeSettings settings) {
        Map<String, String> passwords = settings.passwords();
        return Optional.ofNullable(passwords.get(NodeSettings.NODE_USER))
                .map(password -> new PeerLogin(NodeSettings.NODE_USER, password));
    }

    /** {@return what the mechanism PLAIN sends} */
    byte[] token() {
        return ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user;
    }
}
