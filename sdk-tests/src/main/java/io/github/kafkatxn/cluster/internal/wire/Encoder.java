package io.github.kafkatxn.cluster.internal.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Messages to frames, each with its size in front. */
public final class Encoder {
    private Encoder() {}

    /**
     * A request.
     *
     * @param format its key
     * @param version its version
     * @param correlationId comes back with the answer
     * @param clientId what the sender calls itself
     * @param body the request
     * @return the frame, ready to be written
     */
    public static ByteBuffer request(
            MessageFormat format, short version, int correlationId, String clientId, ApiMessage body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(format.key())
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId(clientId);
        return frame(header, format.requestHeader().forMessage(version), body, version);
    }

    /**
     * An answer.
     *
     * @param format the key of the request
     * @param version the version of the request
     * @param correlationId of the request
     * @param body the answer
     * @return the frame, ready to be written
     */
    public static ByteBuffer response(MessageFormat format, short version, int correlationId, ApiMessage body) {
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlationId);
        return frame(header, format.responseHeader().forMessage(version), body, version);
    }

    private static ByteBuffer frame(Message header, short headerVersion, Message body, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int size = header.size(cache, headerVersion) + body.size(cache, version);
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + size);
        buffer.putInt(size);
        ByteBufferAccessor writable = new ByteBufferAccessor(buffer);
        header.write(writable, cache, headerVersion);
        body.write(writable, cache, version);
        return buffer.flip();
    }
}
