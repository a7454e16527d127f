package io.github.kafkatxn.processor;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What the application does with an input record.
 *
 * <p>Called on the thread of a lane, one record at a time within a lane; with {@code concurrency} above 1 several lanes
 * call the same object at once. Whatever it does besides {@link Outputs#send} is outside the transaction: the same
 * record comes again after an abort, so side effects must bear repetition.
 *
 * <p>An {@link Error}, for example a {@link StackOverflowError} on deeply nested input, stops the processor and is
 * never dead-lettered. Attempts are counted in memory: in a consumer group, a record that ends the JVM is met again
 * after each restart.
 *
 * @param <KI> input key type
 * @param <VI> input value type
 * @param <KO> output key type
 * @param <VO> output value type
 */
@FunctionalInterface
public interface RecordTransform<KI, VI, KO, VO> {

    /**
     * Transforms one record: sends any number of outputs, which become visible together with the record's offset, or
     * not at all.
     *
     * @param record the input
     * @param outputs where its outputs go; valid until this call returns, and on this thread only
     * @throws Exception if the record cannot be processed now. It is tried again; after the configured number of
     *     attempts it is dead-lettered or stops the processor. An interrupt stops the processor
     */
    void transform(ConsumerRecord<KI, VI> record, Outputs<KO, VO> outputs) throws Exception;
}
