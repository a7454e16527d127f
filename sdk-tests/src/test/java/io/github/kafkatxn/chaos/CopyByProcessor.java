package io.github.kafkatxn.chaos;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Outputs;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The same copy by an {@link ExactlyOnceProcessor} of one lane. Its offsets are the end of its transform and nothing
 * tells of them before they are in, so there is no {@link Phase#OFFSETS}. It tells only of the transactions of the
 * first of its two producers: the other's may have another coordinator.
 */
final class CopyByProcessor implements TransactionListener, ProcessorListener {
    /** How many records of a transaction are sent before the middle of it; less than there are. */
    private static final int MIDDLE = 5;

    private final String told;
    private final String output;
    private final int abortOnce;
    private final Steps steps;
    private final CountDownLatch left;
    // By the thread of the lane only.
    private int transactions;
    private int sent;
    private boolean aborted;
    private boolean tells;

    private CopyByProcessor(String told, String output, int records, int abortOnce, Steps steps) {
        this.told = told;
        this.output = output;
        this.abortOnce = abortOnce;
        this.steps = steps;
        this.left = new CountDownLatch(records);
    }

    /**
     * Copies until so many records are committed.
     *
     * @param abortOnce from this transaction on its transform fails once, which aborts; or -1
     */
    static void run(
            ProcessorSettings.Builder settings,
            String output,
            int records,
            int abortOnce,
            Duration limit,
            Steps steps) {
        String told = settings.build().transactionalId(0, 0);
        CopyByProcessor copy = new CopyByProcessor(told, output, records, abortOnce, steps);
        ProcessorSettings built =
                settings.transactionListener(copy).listener(copy).build();
        try (ExactlyOnceProcessor processor = ExactlyOnceProcessor.create(
                built,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                copy::transform)) {
            processor.start();
            if (!copy.left.await(limit.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(
                        "not done in time: " + copy.left.getCount() + " left, " + processor.stopReason());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void transform(ConsumerRecord<String, String> record, Outputs<String, String> outputs) {
        outputs.send(output, record.key(), record.value());
        if (++sent != MIDDLE || !tells) {
            return;
        }
        steps.begins(transactions, Phase.SEND);
        if (abortOnce > 0 && transactions >= abortOnce && !aborted) {
            aborted = true;
            steps.begins(transactions, Phase.ABORT);
            throw new IllegalStateException("aborts once");
        }
    }

    @Override
    public void onBegin(String transactionalId) {
        transactions++;
        sent = 0;
        tells = transactionalId.equals(told);
    }

    @Override
    public void onOffsets(String transactionalId, OffsetsPath path) {
        if (tells) {
            steps.begins(transactions, Phase.COMMIT);
        }
    }

    @Override
    public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
        for (Phase phase : Phase.values()) {
            steps.ended(phase);
        }
    }

    @Override
    public void onProcessed(int lane, int records) {
        for (int i = 0; i < records; i++) {
            left.countDown();
        }
    }
}
