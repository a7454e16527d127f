package io.github.kafkatxn.processor;

/**
 * What the parts of a lane share.
 *
 * @param index number of the lane
 * @param name for logs and threads
 * @param settings of the processor
 * @param stop whether to stop
 * @param listeners who is told
 */
record LaneContext(int index, String name, ProcessorSettings settings, StopSignal stop, LaneListeners listeners) {}
