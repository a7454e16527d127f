package io.github.kafkatxn.cluster.internal.group;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Decides which member of a group of the consumer protocol shall have which partitions. */
interface Assignor {
    /** By the names that members ask for them. */
    Map<String, Assignor> ALL = Map.of("uniform", new UniformAssignor(), "range", new RangeAssignor());

    /**
     * Decides.
     *
     * @param members what is known of each member, by its id
     * @param topics how many partitions each topic has
     * @return what each member shall have, by its id
     */
    Map<String, Set<AssignedPartition>> assign(Map<String, Subject> members, Map<Uuid, Integer> topics);

    /**
     * A member, as far as it matters here.
     *
     * @param instanceId if it is a static member
     * @param topics it subscribes to
     * @param current what it should have until now
     */
    record Subject(@Nullable String instanceId, Set<Uuid> topics, Set<AssignedPartition> current) {}
}
