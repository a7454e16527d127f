package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Scripted answers under both transaction versions. */
class ScriptedAnswersTest {

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class UnderTransactionVersion1 extends ScriptedAnswers {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.start(1);

        @Override
        protected ReferenceClusterTarget target() {
            return target;
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class UnderTransactionVersion2 extends ScriptedAnswers {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.start(2);

        @Override
        protected ReferenceClusterTarget target() {
            return target;
        }
    }
}
