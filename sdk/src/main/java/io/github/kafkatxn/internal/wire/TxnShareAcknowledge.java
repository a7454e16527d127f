package io.github.kafkatxn.internal.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.DataOutputStreamWritable;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.requests.CorrelationIdMismatchException;

/**
 * TxnShareAcknowledge (KIP-1289, a draft), which kafka-clients does not have: its key, its version and its schema, all
 * in this file, as a client has it. Version 0, flexible: request header 2, response header 1.
 *
 * @param producer whose transaction
 * @param member who acknowledges
 * @param batches what, of each partition
 */
record TxnShareAcknowledge(
        TransactionalIdentity producer, ShareMember member, Map<TopicIdPartition, List<ShareBatch>> batches) {
    /** The API key. The draft's first one, 93, is another API in Apache Kafka 4.4.0. */
    static final short KEY = 95;

    static final String NAME = "TxnShareAcknowledge";
    static final short VERSION = 0;

    private static final short REQUEST_HEADER = 2;
    private static final short RESPONSE_HEADER = 1;

    /** {@return the request with its header, as it goes over the wire behind its size} */
    ByteBuffer toBytes(int correlationId, String clientId) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStreamWritable to = new DataOutputStreamWritable(new DataOutputStream(bytes));
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(KEY)
                .setRequestApiVersion(VERSION)
                .setCorrelationId(correlationId)
                .setClientId(clientId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        header.size(cache, REQUEST_HEADER); // Fills the cache, which writing reads.
        header.write(to, cache, REQUEST_HEADER);
        text(to, producer.transactionalId());
        text(to, member.groupId());
        to.writeLong(producer.producerId());
        to.writeShort(producer.epoch());
        text(to, member.memberId());
        to.writeInt(member.memberEpoch());
        array(to, topics().entrySet(), topic -> {
            to.writeUuid(topic.getKey());
            array(to, topic.getValue(), partition -> {
                to.writeInt(partition.partition());
                array(to, batches.getOrDefault(partition, List.of()), batch -> {
                    to.writeLong(batch.firstOffset());
                    to.writeLong(batch.lastOffset());
                    to.writeUnsignedVarint(batch.types().size() + 1);
                    batch.types().forEach(to::writeByte);
                });
            });
        });
        noTags(to);
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /**
     * Reads the answer.
     *
     * @param bytes with header
     * @param correlationId of the request
     * @return of each partition that was asked for what the answer says; one that it does not mention is not staged, as
     *     far as anybody knows
     * @throws RuntimeException if it cannot be read
     */
    Map<TopicIdPartition, Errors> read(ByteBuffer bytes, int correlationId) {
        ByteBufferAccessor from = new ByteBufferAccessor(bytes);
        int answered = new ResponseHeaderData(from, RESPONSE_HEADER).correlationId();
        if (answered != correlationId) {
            throw new CorrelationIdMismatchException(
                    NAME + " was answered with another correlation id", correlationId, answered);
        }
        from.readInt(); // throttle time
        Errors ofAll = Errors.forCode(from.readShort());
        Map<TopicIdPartition, Errors> errors = new HashMap<>();
        batches.keySet()
                .forEach(
                        partition -> errors.put(partition, ofAll == Errors.NONE ? Errors.UNKNOWN_SERVER_ERROR : ofAll));
        elements(from, () -> {
            Uuid topicId = from.readUuid();
            elements(from, () -> {
                int index = from.readInt();
                Errors error = Errors.forCode(from.readShort());
                from.readArray(Math.max(0, from.readUnsignedVarint() - 1)); // the error in words
                if (ofAll == Errors.NONE) {
                    errors.replaceAll((partition, before) ->
                            partition.topicId().equals(topicId) && partition.partition() == index ? error : before);
                }
            });
        });
        skipTags(from);
        return errors;
    }

    private Map<Uuid, List<TopicIdPartition>> topics() {
        Map<Uuid, List<TopicIdPartition>> topics = new LinkedHashMap<>();
        batches.keySet()
                .forEach(partition -> topics.computeIfAbsent(partition.topicId(), id -> new ArrayList<>())
                        .add(partition));
        return topics;
    }

    private static void text(Writable to, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        to.writeUnsignedVarint(bytes.length + 1);
        to.writeByteArray(bytes);
    }

    private static <T> void array(Writable to, Collection<T> elements, Consumer<T> each) {
        to.writeUnsignedVarint(elements.size() + 1);
        for (T element : elements) {
            each.accept(element);
            noTags(to);
        }
    }

    private static void noTags(Writable to) {
        to.writeUnsignedVarint(0);
    }

    private static void elements(Readable from, Runnable each) {
        for (int left = from.readUnsignedVarint() - 1; left > 0; left--) {
            each.run();
            skipTags(from);
        }
    }

    private static void skipTags(Readable from) {
        for (int tags = from.readUnsignedVarint(); tags > 0; tags--) {
            from.readUnsignedVarint();
            from.readArray(from.readUnsignedVarint());
        }
    }
}
