package io.github.kafkatxn.differential;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the two part.
 *
 * @param steps all before, and the one whose answers differ
 * @param real the answer of Apache Kafka
 * @param reference that of the reference cluster
 */
record Difference(List<Step> steps, String real, String reference) {

    /** The request that they answer differently. */
    Step last() {
        return steps.get(steps.size() - 1);
    }

    /** To be pasted into a scenario file. */
    String asScenario() {
        return steps.stream()
                .map(step -> "    " + step.text())
                .collect(Collectors.joining(
                        "\n", "sequence found by chance\n", " -> " + real + "\n# reference cluster: " + reference));
    }
}
