package io.github.kafkatxn.processor;

/**
 * What the lanes of a processor share.
 *
 * @param settings of the processor
 * @param stop that the lanes are to stop
 * @param cluster whom to ask about the cluster; closed when the last lane has ended
 * @param topics the input topics
 */
record Surroundings(ProcessorSettings settings, StopSignal stop, ClusterQuestions cluster, InputTopics topics) {

    static Surroundings of(ProcessorSettings settings) {
        StopSignal stop = new StopSignal(settings.shutdownTimeout());
        ClusterQuestions cluster = new ClusterQuestions(settings, stop);
        return new Surroundings(settings, stop, cluster, new InputTopics(settings, stop, cluster));
    }
}
