/** The transaction coordinator: states of transactional ids, and the markers that end their transactions. */
@NullMarked
package io.github.kafkatxn.cluster.internal.txn;

import org.jspecify.annotations.NullMarked;
