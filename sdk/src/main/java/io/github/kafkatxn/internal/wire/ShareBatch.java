package io.github.kafkatxn.internal.wire;

import java.util.List;

/**
 * What is acknowledged of offsets that follow each other.
 *
 * @param firstOffset the first one
 * @param lastOffset the last one
 * @param types 0 gap, 1 ACCEPT, 2 RELEASE, 3 REJECT: one for all, or one for each
 */
public record ShareBatch(long firstOffset, long lastOffset, List<Byte> types) {}
