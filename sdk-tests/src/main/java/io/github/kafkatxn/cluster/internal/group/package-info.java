/** The group coordinator: members, assignments and offsets of groups. */
@NullMarked
package io.github.kafkatxn.cluster.internal.group;

import org.jspecify.annotations.NullMarked;
