/** One class per API key: which versions, what it does, what is left out. */
@NullMarked
package io.github.kafkatxn.cluster.internal.api;

import org.jspecify.annotations.NullMarked;
