/**
 * The same requests to the reference cluster and to a real Apache Kafka: every answer has to be the same. Which Apache
 * Kafka is the property {@code kafka.version} of the parent's {@code pom.xml}; nothing else has to change for another
 * one.
 */
@NullMarked
package io.github.kafkatxn.differential;

import org.jspecify.annotations.NullMarked;
