/** What a cluster knows of itself: nodes, topics, leaders, configuration; and the controller that decides them. */
@NullMarked
package io.github.kafkatxn.cluster.internal.metadata;

import org.jspecify.annotations.NullMarked;
