package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Records: Produce, Fetch, ListOffsets, OffsetForLeaderEpoch, DeleteRecords, DescribeProducers. */
final class DataHandlers {
    private DataHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        return List.of(
                new ProduceHandler(node),
                new FetchHandler(node),
                new ListOffsetsHandler(node),
                new DeleteRecordsHandler(node),
                new OffsetForLeaderEpochHandler(node),
                new DescribeProducersHandler(node));
    }
}
