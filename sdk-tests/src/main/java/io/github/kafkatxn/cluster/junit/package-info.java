/** The reference cluster in tests with JUnit 5: one annotation and one parameter. */
@NullMarked
package io.github.kafkatxn.cluster.junit;

import org.jspecify.annotations.NullMarked;
