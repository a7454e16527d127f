/** The same requests to the reference cluster and to a real Apache Kafka: every answer has to be the same. */
@NullMarked
package io.github.kafkatxn.differential;

import org.jspecify.annotations.NullMarked;
