package io.github.kafkatxn.apache;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Who logs in to a cluster with authorization, as broker properties and as client configuration. */
final class Login {
    static final String SUPER_USER = "admin";

    private static final String PASSWORD_OF_SUPER_USER = "admin-secret";
    private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required";
    private static final String PROTOCOL = "SASL_PLAINTEXT";
    private static final String MECHANISM = "PLAIN";

    private final Map<String, String> passwords;

    /** Of the users, without the super user. */
    Login(Map<String, String> users) {
        passwords = new TreeMap<>(users);
        passwords.put(SUPER_USER, PASSWORD_OF_SUPER_USER);
    }

    /** For the brokers; they too log in to each other and to the controller as the super user. */
    Map<String, String> brokerProperties(String... listeners) {
        Map<String, String> properties = new LinkedHashMap<>();
        StringBuilder jaas = new StringBuilder(credentials(SUPER_USER));
        passwords.forEach((name, password) -> jaas.append(" user_")
                .append(name)
                .append("=\"")
                .append(password)
                .append('"'));
        StringBuilder protocols = new StringBuilder();
        for (String listener : listeners) {
            protocols
                    .append(protocols.isEmpty() ? "" : ",")
                    .append(listener)
                    .append(':')
                    .append(PROTOCOL);
            properties.put(
                    "listener.name." + listener.toLowerCase(Locale.ROOT) + ".plain.sasl.jaas.config", jaas + ";");
        }
        properties.put("listener.security.protocol.map", protocols.toString());
        properties.put("sasl.enabled.mechanisms", MECHANISM);
        properties.put("sasl.mechanism.inter.broker.protocol", MECHANISM);
        properties.put("sasl.mechanism.controller.protocol", MECHANISM);
        properties.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        properties.put("super.users", "User:" + SUPER_USER);
        return properties;
    }

    /** For a client that logs in as the user. */
    Map<String, Object> clientConfig(String user) {
        if (!passwords.containsKey(user)) {
            throw new IllegalArgumentException("user " + user + ": allowed is one of " + passwords.keySet());
        }
        return Map.of(
                "security.protocol",
                PROTOCOL,
                "sasl.mechanism",
                MECHANISM,
                "sasl.jaas.config",
                credentials(user) + ";");
    }

    private String credentials(String user) {
        return MODULE + " username=\"" + user + "\" password=\"" + passwords.get(user) + "\"";
    }
}
