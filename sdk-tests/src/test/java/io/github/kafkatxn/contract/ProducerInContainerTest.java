package io.github.kafkatxn.contract;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The producer's contracts on Apache Kafka in a container; skipped where there is no Docker. */
class ProducerInContainerTest extends ProducerContracts {
    private static @Nullable ContainerTarget target;

    @BeforeAll
    static void start() {
        target = ContainerTarget.start();
    }

    @AfterAll
    static void stop() {
        if (target != null) {
            target.close();
        }
    }

    @Override
    protected KafkaTarget target() {
        if (target == null) {
            throw new IllegalStateException("the container has not been started");
        }
        return target;
    }
}
