package io.github.kafkatxn.differential;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Both clusters, asked the same step by step. Not thread-safe. */
final class SideBySide {
    private final Target real;
    private final Target reference;
    private final KnownDifferences known;
    private int walks;

    SideBySide(Target real, Target reference, KnownDifferences known) {
        this.real = real;
        this.reference = reference;
        this.known = known;
    }

    /**
     * A new beginning, with names that nobody has used before.
     *
     * @param patience how long an answer is waited for that changes with time
     */
    Walk walk(Duration patience) throws IOException {
        walks++;
        return new Walk(real.converse("walk" + walks, patience), reference.converse("walk" + walks, patience));
    }

    /** Steps, each of which needs those before. */
    final class Walk implements AutoCloseable {
        private final Conversation withReal;
        private final Conversation withReference;
        private final List<Step> steps = new ArrayList<>();
        private String answer = "";

        private Walk(Conversation withReal, Conversation withReference) {
            this.withReal = withReal;
            this.withReference = withReference;
        }

        /** The next step; a difference if there is one that is not known. */
        Optional<Difference> take(Step step) throws IOException {
            steps.add(step);
            answer = withReal.answer(step);
            String other = withReference.answer(step);
            return answer.equals(other) || known.allows(step, answer, other)
                    ? Optional.empty()
                    : Optional.of(new Difference(List.copyOf(steps), answer, other));
        }

        /** What Apache Kafka has answered to the last step. */
        String answer() {
            return answer;
        }

        int length() {
            return steps.size();
        }

        @Override
        public void close() throws IOException {
            withReal.close();
            withReference.close();
        }
    }
}
