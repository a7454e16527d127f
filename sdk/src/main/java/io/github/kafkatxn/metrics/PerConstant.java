package io.github.kafkatxn.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * A value for each constant of an enum, all made at once: looking one up afterwards reads an array and allocates
 * nothing.
 */
final class PerConstant<E extends Enum<E>, V> {
    private final EnumMap<E, V> values;

    PerConstant(Class<E> type, Function<? super E, ? extends V> make) {
        values = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            values.put(constant, make.apply(constant));
        }
    }

    /** {@return the constants as they are written in tags} */
    static <E extends Enum<E>> PerConstant<E, String> tagValues(Class<E> type) {
        return new PerConstant<>(type, PerConstant::tagValue);
    }

    static String tagValue(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    V get(E constant) {
        return Objects.requireNonNull(values.get(constant));
    }
}
