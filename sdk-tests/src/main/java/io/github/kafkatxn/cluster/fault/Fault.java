package io.github.kafkatxn.cluster.fault;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * A fault that is being planned: selectors first, then how often, then what happens. The last part makes the rule, and
 * the rule is in force at once. Belongs to one thread.
 *
 * <p>A request meets at most one rule, the earliest that selects it and whose turn it is. That a rule selects a request
 * without its turn being here ({@link #onCall}) leaves the request to later rules.
 */
public interface Fault extends Selection<Fault> {

    /**
     * The first request only. The default.
     *
     * @return this
     */
    Fault once();

    /**
     * The first requests.
     *
     * @param count how many, 1 or more
     * @return this
     */
    Fault times(int count);

    /**
     * One request only, counted from 1.
     *
     * @param number which, 1 or more
     * @return this
     */
    Fault onCall(int number);

    /**
     * Every request, until the rule is removed.
     *
     * @return this
     */
    Fault everyTime();

    /**
     * The node answers with an error and does nothing: in every place of the answer where this API key has an error. If
     * topics or partitions are selected, and the API key has errors for each of them, only they get the error and are
     * left out; the rest of the request is handled. Of the requests of share groups that goes for TxnShareAcknowledge
     * only, and OffsetDelete is refused as a whole.
     *
     * @param error not {@link Errors#NONE}
     * @return the rule
     */
    FaultRule answerWith(Errors error);

    /**
     * The request is handled, and its answer changed before it is sent.
     *
     * @param type the class of the answer of the key, such as {@code EndTxnResponseData.class}
     * @param change runs on the threads of the nodes; must not wait
     * @param <A> the class of the answer
     * @return the rule
     */
    <A extends ApiMessage> FaultRule changeAnswer(Class<A> type, Consumer<? super A> change);

    /**
     * The request is handled later. Others of the same connection wait for it, those of other connections do not.
     *
     * @param delay how much later, in real time
     * @return the rule
     */
    FaultRule delay(Duration delay);

    /**
     * The request is handled at once and answered later.
     *
     * @param delay how much later, in real time
     * @return the rule
     */
    FaultRule delayAnswer(Duration delay);

    /**
     * The request waits until {@link FaultRule#release()}, then it is handled. {@link FaultRule#awaitHit()} returns
     * once it has arrived.
     *
     * @return the rule
     */
    FaultRule hold();

    /**
     * The request is handled, and its answer waits until {@link FaultRule#release()}. {@link FaultRule#awaitHit()}
     * returns once it is handled.
     *
     * @return the rule
     */
    FaultRule holdAnswer();

    /**
     * The request is lost: it is not handled, and nothing is answered on its connection any more, which stays open.
     *
     * @return the rule
     */
    FaultRule dropBeforeHandling();

    /**
     * The answer is lost: the request is handled, but nothing is answered on its connection any more, which stays open.
     * For EndTxn, that is a commit in doubt.
     *
     * @return the rule
     */
    FaultRule dropAfterHandling();

    /**
     * The connection is closed, and the request is not handled.
     *
     * @return the rule
     */
    FaultRule closeBeforeHandling();

    /**
     * The request is handled, and the connection is closed instead of an answer.
     *
     * @return the rule
     */
    FaultRule closeAfterHandling();

    /**
     * The request is handled twice, one time after the other, and answered with what came of the second time: a request
     * that was sent again, or a transaction marker that comes twice.
     *
     * @return the rule
     */
    FaultRule handleTwice();

    /**
     * The node answers by what the cluster looks like now, when the rule is made, whatever it looks like by then: old
     * leaders, old coordinators, old topic ids. For Metadata, DescribeTopicPartitions, DescribeCluster and
     * FindCoordinator.
     *
     * @return the rule
     */
    FaultRule answerAsOfNow();

    /**
     * Nothing happens to the requests; the rule only counts them and can be waited for, and is never found unused. It
     * does not keep them from other rules.
     *
     * @return the rule
     */
    FaultRule observe();
}
