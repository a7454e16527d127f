package io.github.kafkatxn.cluster.internal.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.jspecify.annotations.Nullable;

/**
 * TxnShareAcknowledge (KIP-1289, a draft), whose messages kafka-clients does not have: its key, its version and its
 * schema, all in this file. Version 0, flexible: request header 2, response header 1.
 */
public final class TxnShareAcknowledge {
    /** The API key. The draft's first one, 93, is another API in Apache Kafka 4.4.0. */
    public static final short KEY = 95;
    /** Kafka's way to write its name. */
    public static final String NAME = "TxnShareAcknowledge";
    /** The only version. */
    public static final short VERSION = 0;

    /** How it looks on the wire. */
    static final MessageFormat FORMAT = new MessageFormat(
            KEY,
            NAME,
            () -> new Request(null, "", -1, (short) -1, "", -1, List.of()),
            () -> new Response(0, (short) 0, List.of()),
            version -> 2,
            version -> 1);

    private TxnShareAcknowledge() {}

    /**
     * A range of offsets.
     *
     * @param firstOffset the first one
     * @param lastOffset the last one
     * @param types 0 gap, 1 ACCEPT, 2 RELEASE, 3 REJECT: one for all, or one for each
     */
    public record Batch(long firstOffset, long lastOffset, List<Byte> types) {}

    /**
     * What is acknowledged of a partition.
     *
     * @param index its number
     * @param batches what
     */
    public record Partition(int index, List<Batch> batches) {}

    /**
     * What is acknowledged of a topic.
     *
     * @param topicId its id
     * @param partitions what of each
     */
    public record Topic(Uuid topicId, List<Partition> partitions) {}

    /**
     * What came of a partition.
     *
     * @param index its number
     * @param errorCode the error
     * @param errorMessage the same in words, or null
     */
    public record PartitionResult(
            int index, short errorCode, @Nullable String errorMessage) {}

    /**
     * What came of a topic.
     *
     * @param topicId its id
     * @param partitions what of each
     */
    public record TopicResult(Uuid topicId, List<PartitionResult> partitions) {}

    /** The request: acknowledgements of one member in the open transaction of a producer. */
    public static final class Request extends HandWrittenMessage {
        private @Nullable String transactionalId;
        private String groupId;
        private long producerId;
        private short producerEpoch;
        private String memberId;
        private int memberEpoch;
        private List<Topic> topics;

        /**
         * A request.
         *
         * @param transactionalId of the producer
         * @param groupId the share group
         * @param producerId of the producer
         * @param producerEpoch of the producer
         * @param memberId the member
         * @param memberEpoch the member's epoch
         * @param topics what it acknowledges
         */
        public Request(
                @Nullable String transactionalId,
                String groupId,
                long producerId,
                short producerEpoch,
                String memberId,
                int memberEpoch,
                List<Topic> topics) {
            super(KEY, VERSION);
            this.transactionalId = transactionalId;
            this.groupId = groupId;
            this.producerId = producerId;
            this.producerEpoch = producerEpoch;
            this.memberId = memberId;
            this.memberEpoch = memberEpoch;
            this.topics = List.copyOf(topics);
        }

        /**
         * Leaves out partitions.
         *
         * @param wanted the topic id and number of those that stay
         * @return whether any stay
         */
        public boolean keep(BiPredicate<Uuid, Integer> wanted) {
            topics = topics.stream()
                    .map(topic -> new Topic(
                            topic.topicId(),
                            topic.partitions().stream()
                                    .filter(partition -> wanted.test(topic.topicId(), partition.index()))
                                    .toList()))
                    .filter(topic -> !topic.partitions().isEmpty())
                    .toList();
            return !topics.isEmpty();
        }

        /**
         * An answer in which everything has failed.
         *
         * @param error why
         * @return the answer, with the error of the request and of each partition
         */
        public Response failed(Errors error) {
            List<TopicResult> results = topics.stream()
                    .map(topic -> new TopicResult(
                            topic.topicId(),
                            topic.partitions().stream()
                                    .map(partition ->
                                            new PartitionResult(partition.index(), error.code(), error.message()))
                                    .toList()))
                    .toList();
            return new Response(0, error.code(), results);
        }

        /** {@return of the producer} */
        public @Nullable String transactionalId() {
            return transactionalId;
        }

        /** {@return the share group} */
        public String groupId() {
            return groupId;
        }

        /** {@return of the producer} */
        public long producerId() {
            return producerId;
        }

        /** {@return of the producer} */
        public short producerEpoch() {
            return producerEpoch;
        }

        /** {@return the member} */
        public String memberId() {
            return memberId;
        }

        /** {@return the member's epoch} */
        public int memberEpoch() {
            return memberEpoch;
        }

        /** {@return what it acknowledges} */
        public List<Topic> topics() {
            return topics;
        }

        @Override
        void writeFields(Writer out) {
            out.nullableText(transactionalId);
            out.text(groupId);
            out.to().writeLong(producerId);
            out.to().writeShort(producerEpoch);
            out.text(memberId);
            out.to().writeInt(memberEpoch);
            out.array(topics, (topic, toTopic) -> {
                toTopic.to().writeUuid(topic.topicId());
                toTopic.array(topic.partitions(), (partition, toPartition) -> {
                    toPartition.to().writeInt(partition.index());
                    toPartition.array(partition.batches(), (batch, toBatch) -> {
                        toBatch.to().writeLong(batch.firstOffset());
                        toBatch.to().writeLong(batch.lastOffset());
                        toBatch.to().writeUnsignedVarint(batch.types().size() + 1);
                        batch.types().forEach(toBatch.to()::writeByte);
                    });
                });
            });
        }

        @Override
        void readFields(Reader in) {
            transactionalId = in.nullableText();
            groupId = in.text();
            producerId = in.from().readLong();
            producerEpoch = in.from().readShort();
            memberId = in.text();
            memberEpoch = in.from().readInt();
            topics = in.array(topic -> new Topic(
                    topic.from().readUuid(),
                    topic.array(partition -> new Partition(
                            partition.from().readInt(),
                            partition.array(batch -> new Batch(
                                    batch.from().readLong(), batch.from().readLong(), batch.bytes()))))));
        }

        @Override
        public Message duplicate() {
            return new Request(transactionalId, groupId, producerId, producerEpoch, memberId, memberEpoch, topics);
        }
    }

    /** The answer. */
    public static final class Response extends HandWrittenMessage {
        private int throttleTimeMs;
        private short errorCode;
        private List<TopicResult> topics;

        /**
         * An answer.
         *
         * @param throttleTimeMs how long the client has to wait
         * @param errorCode the error of the request as a whole
         * @param topics what came of each partition
         */
        public Response(int throttleTimeMs, short errorCode, List<TopicResult> topics) {
            super(KEY, VERSION);
            this.throttleTimeMs = throttleTimeMs;
            this.errorCode = errorCode;
            this.topics = List.copyOf(topics);
        }

        /**
         * Adds what came of other partitions.
         *
         * @param more of topics, which may be there already
         */
        public void add(List<TopicResult> more) {
            List<TopicResult> all = new ArrayList<>(topics);
            all.addAll(more);
            topics = List.copyOf(all);
        }

        /** {@return how long the client has to wait} */
        public int throttleTimeMs() {
            return throttleTimeMs;
        }

        /** {@return the error of the request as a whole} */
        public short errorCode() {
            return errorCode;
        }

        /** {@return what came of each partition} */
        public List<TopicResult> topics() {
            return topics;
        }

        @Override
        void writeFields(Writer out) {
            out.to().writeInt(throttleTimeMs);
            out.to().writeShort(errorCode);
            out.array(topics, (topic, toTopic) -> {
                toTopic.to().writeUuid(topic.topicId());
                toTopic.array(topic.partitions(), (partition, toPartition) -> {
                    toPartition.to().writeInt(partition.index());
                    toPartition.to().writeShort(partition.errorCode());
                    toPartition.nullableText(partition.errorMessage());
                });
            });
        }

        @Override
        void readFields(Reader in) {
            throttleTimeMs = in.from().readInt();
            errorCode = in.from().readShort();
            topics = in.array(topic -> new TopicResult(
                    topic.from().readUuid(),
                    topic.array(partition -> new PartitionResult(
                            partition.from().readInt(), partition.from().readShort(), partition.nullableText()))));
        }

        @Override
        public Message duplicate() {
            return new Response(throttleTimeMs, errorCode, topics);
        }
    }
}
