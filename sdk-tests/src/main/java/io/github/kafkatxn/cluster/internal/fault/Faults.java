package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultPlan;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.RequestLog;
import io.github.kafkatxn.cluster.fault.TransactionFault;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.txn.TransactionSteps;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fault plan of a cluster and its log of requests. Tests plan on their threads, nodes meet the rules on theirs. */
public final class Faults implements FaultPlan, Interceptor {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private final List<RequestRule> rules = new CopyOnWriteArrayList<>();
    private final List<AssertionError> failures = new CopyOnWriteArrayList<>();
    private final Isolation isolation = new Isolation();
    private final CoordinatorSteps steps = new CoordinatorSteps();
    private final Requests requests;
    private final int nodes;
    private final Supplier<ClusterImage> image;

    /**
     * A plan without rules.
     *
     * @param nodes how many nodes the cluster has
     * @param image what is decided in the cluster now; may wait, and is not called on the thread of a node
     */
    public Faults(int nodes, Supplier<ClusterImage> image) {
        this.nodes = nodes;
        this.image = image;
        this.requests = new Requests(nodes);
    }

    /** {@return the log of requests} */
    public RequestLog requests() {
        return requests;
    }

    /**
     * Where the transaction coordinator of a node asks before it takes a step.
     *
     * @param loop the node's thread
     * @return what it asks
     */
    public TransactionSteps steps(EventLoop loop) {
        return steps.on(loop);
    }

    @Override
    public Fault on(ApiKeys key) {
        return on(key.id);
    }

    @Override
    public Fault on(int key) {
        return new FaultBuilder(this, Selecting.format(key), nodes);
    }

    @Override
    public Fault onAny() {
        return new FaultBuilder(this, Optional.<MessageFormat>empty(), nodes);
    }

    @Override
    public TransactionFault onTransaction(String transactionalId) {
        return new TransactionFaultBuilder(steps, transactionalId);
    }

    @Override
    public FaultRule cutOff(int node) {
        if (node < 0 || node >= nodes) {
            throw new IllegalArgumentException("node " + node + ": allowed are 0 to " + (nodes - 1));
        }
        return isolation.cutOff(node);
    }

    @Override
    public List<FaultRule> rules() {
        List<FaultRule> all = new ArrayList<>(rules);
        all.addAll(steps.rules());
        all.addAll(isolation.rules());
        return all;
    }

    @Override
    public void clear() {
        rules().forEach(FaultRule::remove);
        failures.clear();
    }

    @Override
    public void verifyUsed() {
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        List<Rule> unused =
                new ArrayList<>(rules.stream().filter(Rule::isUnused).toList());
        unused.addAll(steps.unused());
        unused.addAll(isolation.unused());
        if (!unused.isEmpty()) {
            throw new AssertionError(unused.stream()
                    .map(Rule::toString)
                    .collect(Collectors.joining(
                            "\n  ",
                            "faults that were planned and never happened; the test does not test them:\n  ",
                            "")));
        }
    }

    ClusterImage imageNow() {
        return image.get();
    }

    RequestRule add(RequestRule rule) {
        rules.add(rule);
        return rule;
    }

    void removed(Rule rule) {
        rules.removeIf(one -> one == rule);
    }

    /** What a test has given to a rule went wrong on the thread of a node: told at the end of the test. */
    void failed(String what, Throwable cause) {
        LOG.warn("{} of the test failed", what, cause);
        failures.add(new AssertionError(what + " of the test failed", cause));
    }

    @Override
    public void onRequest(Exchange exchange) {
        Seen seen = new Seen(exchange.node(), exchange.sender(), exchange.request(), exchange.image());
        Entry entry = requests.add(seen, exchange.size());
        Flow flow = new Flow(exchange, entry, isolation);
        if (isolation.separates(exchange, entry)) {
            exchange.finish(Outcome.DISCONNECT);
            return;
        }
        RequestRule rule = ruleFor(seen, flow);
        if (rule == null) {
            flow.pass();
        } else {
            entry.touchedBy(rule);
            rule.act(flow);
        }
    }

    private @Nullable RequestRule ruleFor(Seen seen, Flow flow) {
        RequestRule first = null;
        for (RequestRule rule : rules) {
            if ((rule.observes() || first == null) && selects(rule, seen) && rule.takesTurn()) {
                if (rule.observes()) {
                    rule.act(flow);
                } else {
                    first = rule;
                }
            }
        }
        return first;
    }

    private boolean selects(RequestRule rule, Seen seen) {
        try {
            return rule.criteria().matches(seen);
        } catch (RuntimeException | AssertionError e) {
            failed("a selector (" + rule.description() + ")", e);
            return false;
        }
    }
}
