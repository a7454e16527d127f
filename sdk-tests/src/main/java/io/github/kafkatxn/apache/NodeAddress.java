package io.github.kafkatxn.apache;

/**
 * Where a node listens. The controller of several brokers has no port for clients; of the others only the single broker
 * that is its own controller has a port for the quorum.
 *
 * @param clientPort 0 for none
 * @param controllerPort 0 for none
 * @param relayedPort for clients that come through the relay, 0 for none
 * @param relayPort where the relay listens for them, 0 for none
 */
record NodeAddress(int id, int clientPort, int controllerPort, int relayedPort, int relayPort) {
    static final String HOST = "127.0.0.1";

    boolean isBroker() {
        return clientPort != 0;
    }

    boolean isController() {
        return controllerPort != 0;
    }

    boolean isRelayed() {
        return relayedPort != 0;
    }

    String client() {
        return HOST + ":" + clientPort;
    }

    String controller() {
        return HOST + ":" + controllerPort;
    }

    String relayed() {
        return HOST + ":" + relayedPort;
    }

    String relay() {
        return HOST + ":" + relayPort;
    }
}
