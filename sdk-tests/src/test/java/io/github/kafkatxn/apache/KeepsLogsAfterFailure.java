package io.github.kafkatxn.apache;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Once a test has failed, the logs of the brokers that this JVM has are kept: they tell the other half of it. */
public final class KeepsLogsAfterFailure implements TestExecutionListener {

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.FAILED) {
            System.setProperty(WorkDirectory.KEEP, "true");
        }
    }
}
