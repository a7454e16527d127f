package io.github.kafkatxn.cluster.internal.api;

/** A connection of a client to a node. Belongs to the node's thread. */
public interface ClientConnection {

    /** {@return a number that no other connection of the node has or had} */
    long id();

    /** {@return the address of the other side, such as {@code /127.0.0.1}} */
    String clientHost();

    /** {@return whether it is still there} */
    boolean isOpen();

    /**
     * Wants to know when it is closed, by whichever side.
     *
     * @param listener told once; at once if it is closed already
     */
    void onClose(Runnable listener);

    /** {@return whether it is known who is at the other side, or nobody has to say} */
    boolean isAuthenticated();

    /**
     * Who is at the other side, from now on: the result of an authentication.
     *
     * @param principal such as {@code User:alice}
     */
    void authenticated(String principal);
}
