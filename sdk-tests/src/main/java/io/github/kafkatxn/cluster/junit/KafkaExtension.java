package io.github.kafkatxn.cluster.junit;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ManualClock;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What is behind {@link WithKafka}. Registered by hand, it takes any settings:
 *
 * <pre>{@code
 * @RegisterExtension
 * final KafkaExtension kafka = KafkaExtension.with(
 *         ClusterSettings.builder().nodes(3).cap(ApiKeys.WRITE_TXN_MARKERS, 1).build());
 * }</pre>
 *
 * <p>A clock of the settings is a parameter of the tests, too. {@link #cluster()} is the cluster of the test that runs.
 * Tests that run side by side take it as a parameter instead.
 */
public final class KafkaExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(KafkaExtension.class);

    private final Function<ExtensionContext, Running> starter;
    private volatile Optional<ReferenceCluster> current = Optional.empty();

    private record Running(ReferenceCluster cluster, Optional<ManualClock> clock) {
        static Running of(ClusterSettings settings) {
            return new Running(ReferenceCluster.start(settings), settings.clock());
        }
    }

    /** For JUnit: settings come from {@link WithKafka}. */
    KafkaExtension() {
        this.starter = KafkaExtension::startAsAnnotated;
    }

    private KafkaExtension(ClusterSettings settings) {
        this.starter = context -> Running.of(settings);
    }

    /**
     * An extension that starts clusters of these settings, one for each test.
     *
     * @param settings what they look like
     * @return the extension
     */
    public static KafkaExtension with(ClusterSettings settings) {
        return new KafkaExtension(settings);
    }

    /** {@return the cluster of the test that runs} */
    public ReferenceCluster cluster() {
        return current.orElseThrow(() -> new IllegalStateException("no test runs: there is a cluster for each test"));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Running running = starter.apply(context);
        context.getStore(NAMESPACE).put(this, running);
        current = Optional.of(running.cluster());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Running running = context.getStore(NAMESPACE).remove(this, Running.class);
        current = Optional.empty();
        if (running == null) {
            return;
        }
        try (ReferenceCluster cluster = running.cluster()) {
            if (context.getExecutionException().isEmpty()) {
                cluster.faults().verifyUsed();
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ReferenceCluster.class || type == ManualClock.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Running running = context.getStore(NAMESPACE).get(this, Running.class);
        if (running == null) {
            throw new ParameterResolutionException("every test has a cluster of its own: it is a parameter of test,"
                    + " @BeforeEach and @AfterEach methods, not of constructors, @BeforeAll or @AfterAll");
        }
        if (parameter.getParameter().getType() == ReferenceCluster.class) {
            return running.cluster();
        }
        return running.clock()
                .orElseThrow(() -> new ParameterResolutionException(
                        "there is a ManualClock with @WithKafka(manualClock = true), or with settings that have one"));
    }

    private static Running startAsAnnotated(ExtensionContext context) {
        return Running.of(AnnotatedSettings.of(annotation(context)));
    }

    /** Of the method, else of its class, else of the classes around it. */
    private static WithKafka annotation(ExtensionContext context) {
        Optional<WithKafka> found = AnnotationSupport.findAnnotation(context.getElement(), WithKafka.class);
        for (Optional<ExtensionContext> around = context.getParent();
                found.isEmpty() && around.isPresent();
                around = around.flatMap(ExtensionContext::getParent)) {
            found = AnnotationSupport.findAnnotation(around.flatMap(ExtensionContext::getElement), WithKafka.class);
        }
        return found.orElseThrow(() -> new IllegalStateException(
                "registered without @WithKafka: use the annotation, or KafkaExtension.with(settings)"));
    }
}
