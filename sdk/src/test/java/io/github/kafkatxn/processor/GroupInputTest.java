package io.github.kafkatxn.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class GroupInputTest {
    private static final OffsetAndMetadata START = new OffsetAndMetadata(200);

    @Test
    void goesNotBackToACommittedOffsetThatTheConsumerWasResetFrom() {
        assertEquals(START, GroupInput.later(START, new OffsetAndMetadata(5)));
    }

    @Test
    void goesOnBehindWhatWasCommittedAfterAll() {
        OffsetAndMetadata committed = new OffsetAndMetadata(211);
        assertEquals(committed, GroupInput.later(START, committed));
    }

    @Test
    void goesBackToTheStartOfTheBatchIfNothingWasCommitted() {
        assertEquals(START, GroupInput.later(START, null));
    }
}
