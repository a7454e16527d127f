package io.github.kafkatxn.cluster.internal.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/**
 * An answer as it came over a connection, decoded.
 *
 * @param correlationId of the request it answers
 * @param body the answer
 */
public record ResponseFrame(int correlationId, ApiMessage body) {

    /**
     * Decodes an answer.
     *
     * @param frame a whole frame, without its size; records in it share its bytes
     * @param format the key of the request
     * @param version the version of the request
     * @return the answer
     */
    public static ResponseFrame decode(ByteBuffer frame, MessageFormat format, short version) {
        ByteBufferAccessor readable = new ByteBufferAccessor(frame);
        ResponseHeaderData header = new ResponseHeaderData();
        header.read(readable, format.responseHeader().forMessage(version));
        ApiMessage body = format.newResponse().get();
        body.read(readable, version);
        return new ResponseFrame(header.correlationId(), body);
    }
}
