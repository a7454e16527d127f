package io.github.kafkatxn.internal.wire;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.requests.AbstractRequest;
import org.jspecify.annotations.Nullable;

/** A request, where it goes, and the answer that somebody waits for. */
final class Exchange implements RequestCompletionHandler {
    /** Where to; null if any broker will do. */
    final @Nullable Node node;

    final AbstractRequest.Builder<?> request;
    final CompletableFuture<ClientResponse> answer = new CompletableFuture<>();

    /** The node it was sent to, or to which a connection is made for it; on the network thread. */
    private String destination = "";

    private boolean connecting;
    private boolean settled;

    Exchange(@Nullable Node node, AbstractRequest.Builder<?> request) {
        this.node = node;
        this.request = request;
    }

    /** A connection is being made for it, on the network thread. */
    void connecting() {
        connecting = true;
    }

    boolean wasConnecting() {
        return connecting;
    }

    void goesTo(String node) {
        destination = node;
    }

    /** {@return the node, empty if none has been chosen} */
    String goesTo() {
        return destination;
    }

    /** {@return whether nobody waits for the answer any more, or it is there} */
    boolean isOver() {
        return answer.isDone();
    }

    void fail(Throwable why) {
        answer.completeExceptionally(why);
    }

    /** Fails if there is no answer yet, because nobody waits for it any longer. */
    void failLate(Deadline deadline) {
        if (!isOver()) {
            fail(new TimeoutException(request.apiKey() + " was not answered within "
                    + deadline.limit().toMillis() + " ms"));
        }
    }

    /** {@return whether its connection has nothing to do with it any more, on the network thread} */
    boolean isSettled() {
        return settled;
    }

    @Override
    public void onComplete(ClientResponse response) {
        settled = true;
        if (response.authenticationException() != null) {
            fail(response.authenticationException());
        } else if (response.versionMismatch() != null) {
            fail(response.versionMismatch());
        } else if (response.wasDisconnected()) {
            fail(new DisconnectException("node " + response.destination() + " has not answered " + request.apiKey()
                    + (response.wasTimedOut() ? " within request.timeout.ms" : ": the connection was lost")));
        } else {
            answer.complete(response);
        }
    }
}
