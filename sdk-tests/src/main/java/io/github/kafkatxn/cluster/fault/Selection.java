package io.github.kafkatxn.cluster.fault;

import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Selects requests. Every selector narrows the selection; one that cannot apply to the API key, such as a group for
 * Produce, is refused with an {@link IllegalArgumentException} that names those that can.
 *
 * @param <S> what goes on being built
 */
public interface Selection<S extends Selection<S>> {

    /**
     * Those in one version.
     *
     * @param version the version, one that the key has
     * @return this
     */
    S version(int version);

    /**
     * Those that come to one node.
     *
     * @param node its id
     * @return this
     */
    S node(int node);

    /**
     * Those of one client.
     *
     * @param clientId its {@code client.id}
     * @return this
     */
    S clientId(String clientId);

    /**
     * Those that name a transactional id.
     *
     * @param transactionalId the id
     * @return this
     */
    S transactionalId(String transactionalId);

    /**
     * Those that name a group, of whichever kind.
     *
     * @param group its id
     * @return this
     */
    S group(String group);

    /**
     * Those that name a topic, by its name or by the id the topic of that name has when the request comes.
     *
     * @param topic its name
     * @return this
     */
    S topic(String topic);

    /**
     * Those that name a topic by this id.
     *
     * @param topicId its id
     * @return this
     */
    S topicId(Uuid topicId);

    /**
     * Those that name a partition of this number: of the topic selected, or of any.
     *
     * @param partition its number
     * @return this
     */
    S partition(int partition);

    /**
     * Those sent by clients, not by nodes.
     *
     * @return this
     */
    S fromClients();

    /**
     * Those sent by nodes, not by clients: transaction markers, the verification of partitions.
     *
     * @return this
     */
    S fromNodes();

    /**
     * Those that a test looks at itself.
     *
     * @param type the class of the request of the key, such as {@code EndTxnRequestData.class}
     * @param test runs on the threads of the nodes; must not wait and not change the request
     * @param <R> the class of the request
     * @return this
     */
    <R extends ApiMessage> S where(Class<R> type, Predicate<? super R> test);
}
