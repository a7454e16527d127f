package io.github.kafkatxn.cluster.internal.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * How the messages of one API key look on the wire.
 *
 * @param key the API key
 * @param name Kafka's name of it, such as {@code EndTxn}
 * @param newRequest makes an empty request
 * @param newResponse makes an empty response
 * @param requestHeader the version of the request header for a version of the request
 * @param responseHeader the version of the response header for a version of the request
 */
public record MessageFormat(
        short key,
        String name,
        Supplier<ApiMessage> newRequest,
        Supplier<ApiMessage> newResponse,
        HeaderVersion requestHeader,
        HeaderVersion responseHeader) {

    private static final Map<Short, MessageFormat> ALL = all();

    /** The version of a header that goes with a version of a message. */
    @FunctionalInterface
    public interface HeaderVersion {

        /**
         * The version of the header.
         *
         * @param messageVersion the version of the message
         * @return the version of its header
         */
        short forMessage(short messageVersion);
    }

    /**
     * The format of a key.
     *
     * @param key the API key
     * @return its format, empty if it is not known here
     */
    public static Optional<MessageFormat> of(short key) {
        return Optional.ofNullable(ALL.get(key));
    }

    private static Map<Short, MessageFormat> all() {
        Map<Short, MessageFormat> formats = new HashMap<>();
        for (ApiMessageType type : ApiMessageType.values()) {
            formats.put(
                    type.apiKey(),
                    new MessageFormat(
                            type.apiKey(),
                            type.name,
                            type::newRequest,
                            type::newResponse,
                            type::requestHeaderVersion,
                            type::responseHeaderVersion));
        }
        formats.put(TxnShareAcknowledge.KEY, TxnShareAcknowledge.FORMAT);
        return Map.copyOf(formats);
    }
}
