/** Faults that a test plans: what a node answers, when, and whether at all. */
@NullMarked
package io.github.kafkatxn.cluster.fault;

import org.jspecify.annotations.NullMarked;
