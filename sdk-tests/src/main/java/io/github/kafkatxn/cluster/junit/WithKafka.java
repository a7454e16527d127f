package io.github.kafkatxn.cluster.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A reference cluster for every test: on a test class, on a test method (which then goes before the class), or on an
 * annotation of your own.
 *
 * <pre>{@code
 * @Test
 * @WithKafka(nodes = 3)
 * void survivesAMovedCoordinator(ReferenceCluster cluster) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Every test has a new cluster, which costs a few milliseconds, and gets it as a parameter of the test or of its
 * {@code @BeforeEach} and {@code @AfterEach} methods. When the test has passed, a fault that was planned and never
 * happened fails it. Then the cluster is closed, and a thread of it that does not end fails the test. For settings that
 * an annotation cannot say, see {@link KafkaExtension}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KafkaExtension.class)
public @interface WithKafka {

    /** {@return how many nodes} */
    int nodes() default 1;

    /** {@return the finalized level of {@code transaction.version}: 0, 1 or 2} */
    int transactionVersion() default 2;

    /** {@return properties of the nodes, each as {@code name=value}, by their names in a broker's configuration} */
    String[] properties() default {};

    /**
     * All nodes look older. For a single one see {@link io.github.kafkatxn.cluster.ClusterSettings.Builder}.
     *
     * @return the highest version of API keys, each as {@code KEY:version}, such as {@code END_TXN:4}; {@code KEY:-1}
     *     hides a key
     */
    String[] apiCaps() default {};

    /**
     * Whether the test moves the cluster's time.
     *
     * @return if so, tests have a parameter of type {@link io.github.kafkatxn.cluster.ManualClock} as well
     */
    boolean manualClock() default false;
}
