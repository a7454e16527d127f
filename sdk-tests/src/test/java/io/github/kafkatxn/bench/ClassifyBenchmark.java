package io.github.kafkatxn.bench;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/** How long it takes to classify an error. */
final class ClassifyBenchmark {
    private static final int CALLS = 1_000_000;

    private final int rounds;

    ClassifyBenchmark(int rounds) {
        this.rounds = rounds;
    }

    void run() {
        List<RuntimeException> failures = List.of(
                new TimeoutException("Timeout expired after 1000ms while awaiting EndTxn"),
                new ProducerFencedException("There is a newer producer with the same transactionalId"),
                new RecordTooLargeException("The message is 2000000 bytes when serialized"),
                new KafkaException("Cannot execute transactional method because we are in an error state", null));
        double[] nanos = new double[rounds];
        long sum = 0;
        for (int round = -3; round < rounds; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                sum += ErrorClassifier.classify(Operation.COMMIT, failures.get(i & 3), Condition.COMPLETING)
                        .message()
                        .length();
            }
            if (round >= 0) {
                nanos[round] = (double) (System.nanoTime() - start) / CALLS;
            }
        }
        Arrays.sort(nanos);
        System.out.printf("%nclassify %.0f ns (median of %d rounds, checksum %d)%n", nanos[rounds / 2], rounds, sum);
    }
}
