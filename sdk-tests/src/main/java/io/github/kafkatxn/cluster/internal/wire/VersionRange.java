package io.github.kafkatxn.cluster.internal.wire;

import org.apache.kafka.common.message.ApiMessageType;

/**
 * Versions of a request, both ends included.
 *
 * @param min the lowest
 * @param max the highest
 */
public record VersionRange(short min, short max) {

    /** Refuses what is no range. */
    public VersionRange {
        if (min < 0 || max < min) {
            throw new IllegalArgumentException("versions " + min + " to " + max + ": need 0 <= min <= max");
        }
    }

    /**
     * The versions from one to another.
     *
     * @param min the lowest
     * @param max the highest
     * @return the range
     */
    public static VersionRange of(int min, int max) {
        return new VersionRange((short) min, (short) max);
    }

    /**
     * Every stable version that kafka-clients knows of a key.
     *
     * @param type the key
     * @return the range
     */
    public static VersionRange allOf(ApiMessageType type) {
        return new VersionRange(type.lowestSupportedVersion(), type.highestSupportedVersion(false));
    }

    /**
     * Whether a version belongs to it.
     *
     * @param version the version
     * @return whether it does
     */
    public boolean contains(short version) {
        return version >= min && version <= max;
    }

    /**
     * The same range, ending earlier.
     *
     * @param limit the highest version wanted; the lowest is kept
     * @return the range
     */
    public VersionRange upTo(int limit) {
        return new VersionRange(min, (short) Math.max(min, Math.min(max, limit)));
    }

    @Override
    public String toString() {
        return min == max ? "v" + min : "v" + min + "-" + max;
    }
}
