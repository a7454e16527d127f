package io.github.kafkatxn.processor;

import java.util.Locale;

/** What a processor can promise of an input record, by what the cluster can do. */
public enum Guarantee {
    /** Its outputs become visible once, with the record done for good in the same transaction. */
    EXACTLY_ONCE,
    /** Its outputs become visible once or more often: the record is acknowledged after their transaction. */
    AT_LEAST_ONCE;

    /** In logs and reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
