package io.github.kafkatxn.apache;

import java.util.regex.Pattern;

/** Checks of settings; what is refused is named with its value and what is allowed. */
final class Allowed {
    private Allowed() {}

    /** The value, which has to be within the bounds, both included. */
    static <T extends Comparable<T>> T range(String setting, T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(setting + " " + value + ": allowed is " + min + " to " + max);
        }
        return value;
    }

    /** The value, which has to match the whole pattern. */
    static String matching(String setting, String value, Pattern pattern) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(setting + " '" + value + "': allowed is " + pattern);
        }
        return value;
    }
}
