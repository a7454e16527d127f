package io.github.kafkatxn.producer;

import java.time.Duration;

/**
 * What was in a transaction.
 *
 * @param records how many records were sent in it
 * @param offsets for how many partitions input offsets were sent in it
 * @param duration from begin to the answer of its end
 */
public record TransactionStats(long records, int offsets, Duration duration) {}
