/** Tests of the launcher of a real Apache Kafka. */
@NullMarked
package io.github.kafkatxn.apache;

import org.jspecify.annotations.NullMarked;
