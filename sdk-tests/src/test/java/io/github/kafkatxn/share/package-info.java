@NullMarked
package io.github.kafkatxn.share;

import org.jspecify.annotations.NullMarked;
