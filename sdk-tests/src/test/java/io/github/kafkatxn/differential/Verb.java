package io.github.kafkatxn.differential;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request that scenarios can make.
 *
 * @param name how a line calls it
 * @param words what its lines may have beside the version: keys of values and words alone
 * @param asker sends it
 */
record Verb(String name, Set<String> words, Asker asker) {
    /** All, by name. */
    static final Map<String, Verb> ALL = Stream.of(
                    TransactionRequests.all(),
                    GroupRequests.all(),
                    AdminRequests.all(),
                    OffsetRequests.all(),
                    LogRequests.all(),
                    TopicRequests.all(),
                    ConfigRequests.all(),
                    FeatureRequests.all(),
                    RightsRequests.all(),
                    ViewRequests.all(),
                    ShareGroupRequests.all(),
                    ShareRecordRequests.all())
            .flatMap(Collection::stream)
            .collect(Collectors.toMap(Verb::name, Function.identity(), (a, b) -> a, TreeMap::new));

    /** Words that every request may have. */
    private static final List<String> COMMON = List.of("waits", "until", "c", "as");

    /** @param words separated by spaces */
    Verb(String name, String words, Asker asker) {
        this(name, Set.of(words.split(" ")), asker);
    }

    boolean knows(String word) {
        return words.contains(word) || COMMON.contains(word);
    }
}
