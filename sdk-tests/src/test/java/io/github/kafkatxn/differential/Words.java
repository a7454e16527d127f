package io.github.kafkatxn.differential;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.Errors;

/** Answers in words. */
final class Words {
    private Words() {}

    /** The error of the only partition, or {@code 0:NONE 1:...} of several. */
    static String errors(Map<Integer, Short> byPartition) {
        return of(byPartition.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> Errors.forCode(entry.getValue()).name())));
    }

    /** The words of the only partition, or each after its number. */
    static String of(Map<Integer, String> byPartition) {
        if (byPartition.isEmpty()) {
            return "nothing";
        }
        return byPartition.size() == 1
                ? byPartition.values().iterator().next()
                : byPartition.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }
}
