/** Tests of the logs. */
@NullMarked
package io.github.kafkatxn.cluster.internal.log;

import org.jspecify.annotations.NullMarked;
