@NullMarked
package io.github.kafkatxn.wire;

import org.jspecify.annotations.NullMarked;
