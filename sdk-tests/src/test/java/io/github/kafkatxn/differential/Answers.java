package io.github.kafkatxn.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What both have answered to one scenario.
 *
 * @param scenario the scenario
 * @param real the answers of Apache Kafka, one for each step
 * @param reference those of the reference cluster
 */
record Answers(Scenario scenario, List<String> real, List<String> reference) {

    /**
     * Apache Kafka has answered what the file says, and the reference cluster the same or what is known to differ.
     *
     * @throws AssertionError with all steps and answers
     */
    void requireSame(KnownDifferences known) {
        List<String> report = new ArrayList<>();
        boolean same = true;
        for (int i = 0; i < real.size(); i++) {
            Step step = scenario.steps().get(i);
            String ofKafka = real.get(i);
            String ofReference = reference.get(i);
            boolean good =
                    step.accepts(ofKafka) && (ofKafka.equals(ofReference) || known.allows(step, ofKafka, ofReference));
            same &= good;
            report.add(String.format(
                    Locale.ROOT,
                    "%s %-60s%n      Apache Kafka: %s%n      reference:    %s",
                    good ? "     " : "DIFF ",
                    step.text(),
                    ofKafka,
                    ofReference));
        }
        if (!same) {
            throw new AssertionError(scenario.place() + " " + scenario.name() + "\n" + String.join("\n", report));
        }
    }
}
