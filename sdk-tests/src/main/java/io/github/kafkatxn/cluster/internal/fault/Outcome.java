package io.github.kafkatxn.cluster.internal.fault;

import java.util.Optional;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * What comes of a request.
 *
 * @param kind which of the possible ends
 * @param answer the answer, if there is one
 */
public record Outcome(Kind kind, Optional<ApiMessage> answer) {
    /** There is no answer to such a request, and the connection goes on: a produce request with acks=0. */
    public static final Outcome NO_ANSWER = new Outcome(Kind.NO_ANSWER, Optional.empty());
    /** The connection is closed without an answer. */
    public static final Outcome DISCONNECT = new Outcome(Kind.DISCONNECT, Optional.empty());
    /** Nothing is ever said on the connection again, which stays open: as if what is sent were lost on its way. */
    public static final Outcome SILENCE = new Outcome(Kind.SILENCE, Optional.empty());

    /** The possible ends of a request. */
    public enum Kind {
        /** It is answered. */
        ANSWER,
        /** It has no answer, and needs none. */
        NO_ANSWER,
        /** Its connection is closed. */
        DISCONNECT,
        /** Its sender hears nothing any more. */
        SILENCE
    }

    /**
     * It is answered.
     *
     * @param answer in the version of the request
     * @return the outcome
     */
    public static Outcome answer(ApiMessage answer) {
        return new Outcome(Kind.ANSWER, Optional.of(answer));
    }
}
