/** Tests of groups, stepped by hand. */
@NullMarked
package io.github.kafkatxn.cluster.internal.group;

import org.jspecify.annotations.NullMarked;
