package io.github.kafkatxn.cluster.internal.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/**
 * A request as it came over a connection, decoded.
 *
 * @param format the key
 * @param version the version of the request
 * @param correlationId goes back with the answer
 * @param clientId what the client calls itself, may be empty
 * @param body the request
 */
public record RequestFrame(MessageFormat format, short version, int correlationId, String clientId, ApiMessage body) {

    /** What every request begins with. */
    static final int SMALLEST = 2 + 2 + 4;

    /**
     * What stands at the beginning of a request, whatever its version.
     *
     * @param key the API key
     * @param version the version of the request
     * @param correlationId goes back with the answer
     */
    public record Start(short key, short version, int correlationId) {}

    /**
     * Reads the first fields and leaves the buffer where it was.
     *
     * @param frame a whole frame, without its size
     * @return the first fields
     */
    public static Start peek(ByteBuffer frame) {
        if (frame.remaining() < SMALLEST) {
            throw new MalformedRequestException(
                    "a request of " + frame.remaining() + " bytes: the smallest has " + SMALLEST);
        }
        int at = frame.position();
        return new Start(frame.getShort(at), frame.getShort(at + 2), frame.getInt(at + 4));
    }

    /**
     * Decodes a whole request of a known key and version. Bytes behind it are passed over, as by a broker.
     *
     * @param frame a whole frame, without its size; records in the request share its bytes
     * @return the request
     */
    public static RequestFrame decode(ByteBuffer frame) {
        Start start = peek(frame);
        MessageFormat format = MessageFormat.of(start.key())
                .orElseThrow(() -> new MalformedRequestException("unknown API key " + start.key()));
        try {
            ByteBufferAccessor readable = new ByteBufferAccessor(frame);
            RequestHeaderData header = new RequestHeaderData();
            header.read(readable, format.requestHeader().forMessage(start.version()));
            ApiMessage body = format.newRequest().get();
            body.read(readable, start.version());
            String clientId = header.clientId() == null ? "" : header.clientId();
            return new RequestFrame(format, start.version(), start.correlationId(), clientId, body);
        } catch (RuntimeException e) {
            throw new MalformedRequestException(
                    "cannot be decoded as " + format.name() + " v" + start.version() + ": " + e.getMessage(), e);
        }
    }
}
