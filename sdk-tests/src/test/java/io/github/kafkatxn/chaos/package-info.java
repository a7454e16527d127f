/** Three real brokers, and what happens to them in the middle of a transaction. */
@NullMarked
package io.github.kafkatxn.chaos;

import org.jspecify.annotations.NullMarked;
