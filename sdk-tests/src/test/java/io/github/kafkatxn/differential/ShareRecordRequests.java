package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgePartition;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Requests of the members of share groups to partition leaders. */
final class ShareRecordRequests {
    /** Long enough for the share state to be read; who expects no records says {@code wait0}. */
    private static final int UNTIL_READ_MS = 2_000;

    /** A word of an answer with records: {@code 0-3x1}. */
    static final Pattern ACQUIRED = Pattern.compile("\\b\\d+-\\d+x\\d+\\b");

    private static final int MANY_BYTES = 1_000_000;
    private static final int MANY_RECORDS = 500;

    private ShareRecordRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "ShareFetch",
                        "g member se topic stale p forget ack renew max batch mode wait bytes",
                        ShareRecordRequests::fetch),
                new Verb("ShareAck", "g member se topic stale p ack renew", ShareRecordRequests::acknowledge),
                new Verb("Disconnect", "", ShareRecordRequests::disconnect));
    }

    /** What a member says of offsets. */
    private record Ack(long first, long last, List<Byte> types) {
        private static final Pattern FORM = Pattern.compile("(-?\\d+)(?:-(\\d+))?:(.+)");
        private static final List<String> NAMES = List.of("GAP", "ACCEPT", "RELEASE", "REJECT", "RENEW");

        /** {@code ack=0-3:ACCEPT,4-5:RELEASE/REJECT,7:none}: one type for all, or for each; a number is one too. */
        static List<Ack> of(Step step) {
            return step.value("ack").stream()
                    .flatMap(text -> Arrays.stream(text.split(",", -1)))
                    .map(text -> one(step, FORM.matcher(text)))
                    .toList();
        }

        private static Ack one(Step step, Matcher form) {
            if (!form.matches()) {
                throw step.wrong("ack is FIRST-LAST:TYPE/TYPE or OFFSET:TYPE");
            }
            long first = Long.parseLong(form.group(1));
            long last = form.group(2) == null ? first : Long.parseLong(form.group(2));
            String types = form.group(3);
            return new Ack(
                    first,
                    last,
                    types.equals("none")
                            ? List.of()
                            : Arrays.stream(types.split("/", -1)).map(Ack::type).toList());
        }

        private static byte type(String name) {
            int known = NAMES.indexOf(name);
            return known < 0 ? Byte.parseByte(name) : (byte) known;
        }
    }

    /**
     * {@code ShareFetch v2 member=m se0 p0,1 max500 batch1 mode0 wait0 ack=0-1:ACCEPT}: without {@code p} it names no
     * partition. {@code renew} says so and asks for nothing, as is right, unless {@code max} does.
     */
    private static String fetch(Step step, Names names, Wire wire) throws IOException {
        boolean renews = step.has("renew");
        ShareFetchRequestData request = new ShareFetchRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setShareSessionEpoch(step.number("se", 0))
                .setMaxWaitMs(step.number("wait", renews ? 0 : UNTIL_READ_MS))
                .setMinBytes(renews ? 0 : 1)
                .setMaxBytes(step.number("bytes", renews ? 0 : MANY_BYTES))
                .setMaxRecords(step.number("max", renews ? 0 : MANY_RECORDS))
                .setBatchSize(step.number("batch", 1))
                .setShareAcquireMode((byte) step.number("mode", 0))
                .setIsRenewAck(renews);
        if (step.value("p").isPresent()) {
            FetchTopic topic = new FetchTopic().setTopicId(names.topicId(step));
            for (int partition : step.partitions()) {
                topic.partitions()
                        .add(new FetchPartition()
                                .setPartitionIndex(partition)
                                .setAcknowledgementBatches(Ack.of(step).stream()
                                        .map(ack -> new ShareFetchRequestData.AcknowledgementBatch()
                                                .setFirstOffset(ack.first())
                                                .setLastOffset(ack.last())
                                                .setAcknowledgeTypes(ack.types()))
                                        .toList()));
            }
            request.topics().add(topic);
        }
        step.value("forget")
                .ifPresent(partition -> request.setForgottenTopicsData(List.of(new ForgottenTopic()
                        .setTopicId(names.topicId(step))
                        .setPartitions(List.of(Integer.valueOf(partition))))));
        ShareFetchResponseData answer = wire.ask(request, step.version(), ShareFetchResponseData.class);
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        Map<Integer, String> words = new TreeMap<>();
        answer.responses()
                .forEach(topic ->
                        topic.partitions().forEach(data -> words.put(data.partitionIndex(), words(data, names))));
        return Words.of(words) + " lock=" + answer.acquisitionLockTimeoutMs();
    }

    /** Errors of both kinds, offsets with how often they were delivered, and the batches that came. */
    private static String words(PartitionData data, Names names) {
        StringBuilder words = new StringBuilder(Errors.forCode(data.errorCode()).name());
        words.append(" acked:").append(Errors.forCode(data.acknowledgeErrorCode()));
        data.acquiredRecords()
                .forEach(range -> words.append(' ')
                        .append(range.firstOffset())
                        .append('-')
                        .append(range.lastOffset())
                        .append('x')
                        .append(range.deliveryCount()));
        if (data.records() instanceof MemoryRecords records) {
            records.batches().forEach(batch -> words.append(' ').append(batch(batch, names)));
        }
        return words.toString();
    }

    private static String batch(RecordBatch batch, Names names) {
        return "[" + batch.baseOffset() + "-" + batch.lastOffset() + (batch.isControlBatch() ? ":marker" : "")
                + (batch.isTransactional() ? ":" + names.producerName(batch.producerId()) : "") + "]";
    }

    /** {@code ShareAck v2 member=m se1 p0 ack=0-1:ACCEPT}; {@code renew} says that it may renew. */
    private static String acknowledge(Step step, Names names, Wire wire) throws IOException {
        AcknowledgeTopic topic = new AcknowledgeTopic().setTopicId(names.topicId(step));
        for (int partition : step.partitions()) {
            topic.partitions()
                    .add(new AcknowledgePartition()
                            .setPartitionIndex(partition)
                            .setAcknowledgementBatches(Ack.of(step).stream()
                                    .map(ack -> new ShareAcknowledgeRequestData.AcknowledgementBatch()
                                            .setFirstOffset(ack.first())
                                            .setLastOffset(ack.last())
                                            .setAcknowledgeTypes(ack.types()))
                                    .toList()));
        }
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setShareSessionEpoch(step.number("se", 0))
                .setIsRenewAck(step.has("renew"));
        request.topics().add(topic);
        ShareAcknowledgeResponseData answer = wire.ask(request, step.version(), ShareAcknowledgeResponseData.class);
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        Map<Integer, Short> errors = new TreeMap<>();
        answer.responses()
                .forEach(each -> each.partitions()
                        .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode())));
        return Words.errors(errors);
    }

    /** {@code Disconnect v0}: no request; a share session does not outlive its connection. */
    private static String disconnect(Step step, Names names, Wire wire) throws IOException {
        wire.close();
        return "NONE";
    }
}
