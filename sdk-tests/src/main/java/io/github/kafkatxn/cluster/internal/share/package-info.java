/**
 * Share groups (KIP-932, KIP-1289): which record is where, who has it, and what of it is in
 * {@code __share_group_state}.
 */
@NullMarked
package io.github.kafkatxn.cluster.internal.share;

import org.jspecify.annotations.NullMarked;
