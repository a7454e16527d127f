package io.github.kafkatxn.cluster.internal.group;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The members of a classic group agree on a protocol. */
final class ProtocolVote {
    private ProtocolVote() {}

    /** {@return the protocol that all can do and that most of them like best} */
    static Optional<String> winner(Collection<ClassicMember> members) {
        Set<String> candidates = common(members);
        Map<String, Integer> votes = new LinkedHashMap<>();
        members.forEach(member -> member.protocols().keySet().stream()
                .filter(candidates::contains)
                .findFirst()
                .ifPresent(best -> votes.merge(best, 1, Integer::sum)));
        return votes.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey);
    }

    /** {@return the protocols that all can do} */
    static Set<String> common(Collection<ClassicMember> members) {
        Set<String> common = new HashSet<>();
        boolean first = true;
        for (ClassicMember member : members) {
            if (first) {
                common.addAll(member.protocols().keySet());
                first = false;
            } else {
                common.retainAll(member.protocols().keySet());
            }
        }
        return common;
    }
}
