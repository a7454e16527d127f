package io.github.kafkatxn.examples.job;

import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;

/**
 * All that plays a part while the application runs.
 *
 * @param bootstrapServers of the cluster
 * @param kafka the cluster, if it was started here
 * @param admin a client for questions
 * @param topics of this run
 * @param group of the application
 * @param instances of the application
 * @param application that runs in them
 * @param rows how many rows there are
 * @param feeder writes them
 * @param ledger has what came out
 * @param signal where to wait
 * @param console where to say what happens
 */
record Scene(
        String bootstrapServers,
        Optional<StartedKafka> kafka,
        Admin admin,
        Topics topics,
        Group group,
        Instances instances,
        Application application,
        int rows,
        Feeder feeder,
        Ledger ledger,
        Signal signal,
        Console console) {}
