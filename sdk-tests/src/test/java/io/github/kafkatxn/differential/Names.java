package io.github.kafkatxn.differential;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** What the names of one scenario mean in one cluster: ids and topics, and who has which producer id and epoch. */
final class Names {
    /** A producer id that no cluster of a test ever hands out. */
    private static final long OTHER = 4_000_000_000_000L;

    private static final Uuid NO_TOPIC = new Uuid(7, 7);

    private final String prefix;
    private final Map<String, Uuid> topicIds;
    private final Map<String, Uuid> idsBefore = new HashMap<>();
    private final List<Long> producerIds = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final Map<String, Identity> identities = new HashMap<>();

    private record Identity(long producerId, short epoch) {}

    /**
     * @param prefix what makes its names unique in the cluster
     * @param topicIds of all topics, by their real names
     */
    Names(String prefix, Map<String, Uuid> topicIds) {
        this.prefix = prefix;
        this.topicIds = topicIds;
    }

    /** The real name of an id, group or topic. */
    String of(String name) {
        return name.equals("empty") ? "" : prefix + name;
    }

    @Nullable
    String transactionalId(Step step) {
        String name = step.text("id", "t");
        return name.equals("null") ? null : of(name);
    }

    String group(Step step) {
        return of(step.text("g", "g"));
    }

    String topic(Step step) {
        return of(step.text("topic", "topic"));
    }

    /** The id of the topic; {@code stale}: the one it had before it was created again. */
    Uuid topicId(Step step) {
        return (step.has("stale") ? idsBefore : topicIds).getOrDefault(topic(step), NO_TOPIC);
    }

    /** A topic has been created. */
    void created(Step step, Uuid id) {
        Uuid before = topicIds.put(topic(step), id);
        if (before != null) {
            idsBefore.put(topic(step), before);
        }
    }

    /**
     * The producer id a step names: {@code P1}, {@code of-a} (what the id {@code a} got last), {@code other},
     * {@code -1}, or what its own id got last.
     */
    long producerId(Step step) {
        String name = step.text("pid", "");
        if (name.startsWith("P")) {
            int index = Integer.parseInt(name.substring(1)) - 1;
            if (index >= producerIds.size()) {
                throw step.wrong("no answer has had " + name + " yet");
            }
            return producerIds.get(index);
        }
        if (name.startsWith("of-")) {
            return identity(name.substring("of-".length())).producerId();
        }
        return switch (name) {
            case "" -> identity(step.text("id", "t")).producerId();
            case "other" -> OTHER;
            case "-1" -> -1;
            default -> throw step.wrong("pid is P1, P2, ..., of-ID, other or -1");
        };
    }

    /** {@code e0}, {@code e=last+1}, or the last one its id got; none counted from the last is below 0. */
    short epoch(Step step) {
        String text = step.text("e", "last");
        if (!text.startsWith("last")) {
            return Short.parseShort(text);
        }
        String difference = text.substring("last".length());
        int more = difference.isEmpty() ? 0 : Integer.parseInt(difference);
        return (short) Math.max(0, identity(step.text("id", "t")).epoch() + more);
    }

    /** A producer id as it is compared: by the order in which they came. */
    String producerName(long producerId) {
        if (producerId < 0) {
            return Long.toString(producerId);
        }
        if (producerId == OTHER) {
            return "other";
        }
        if (!producerIds.contains(producerId)) {
            producerIds.add(producerId);
        }
        return "P" + (producerIds.indexOf(producerId) + 1);
    }

    /** The member id a step names: {@code M1}, as an answer has called it, or what it says. */
    String member(Step step) {
        String name = step.text("member", "");
        int index = name.matches("M\\d+") ? Integer.parseInt(name.substring(1)) - 1 : -1;
        if (index >= members.size()) {
            throw step.wrong("no answer has had " + name + " yet");
        }
        return index < 0 ? name : members.get(index);
    }

    /** A member id as it is compared: by the order in which they came. */
    String memberName(String memberId) {
        if (memberId.isEmpty()) {
            return "nobody";
        }
        if (!members.contains(memberId)) {
            members.add(memberId);
        }
        return "M" + (members.indexOf(memberId) + 1);
    }

    boolean isOurs(String realName) {
        return realName.startsWith(prefix);
    }

    /** The name a scenario uses. */
    String shortName(String realName) {
        return isOurs(realName) ? realName.substring(prefix.length()) : realName;
    }

    /** An answer has given this to the id of the step. */
    void got(Step step, long producerId, short epoch) {
        identities.put(step.text("id", "t"), new Identity(producerId, epoch));
    }

    private Identity identity(String id) {
        Identity own = identities.get(id);
        return own != null ? own : identities.getOrDefault("t", new Identity(OTHER, (short) 0));
    }
}
