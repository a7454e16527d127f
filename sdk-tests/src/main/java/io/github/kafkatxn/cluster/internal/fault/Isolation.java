package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.fault.FaultRule;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which nodes are cut off. Thread-safe. */
final class Isolation {
    private final List<CutOff> cutOff = new CopyOnWriteArrayList<>();

    private record CutOff(int node, Rule rule) {}

    Rule cutOff(int node) {
        Rule rule = new Rule(
                "node " + node + " is cut off",
                true,
                Trigger.EVERY_TIME,
                gone -> cutOff.removeIf(one -> one.rule() == gone));
        cutOff.add(new CutOff(node, rule));
        return rule;
    }

    List<FaultRule> rules() {
        return cutOff.stream().map(one -> (FaultRule) one.rule()).toList();
    }

    List<Rule> unused() {
        return cutOff.stream().map(CutOff::rule).filter(Rule::isUnused).toList();
    }

    /** Whether something stands between the two ends of an exchange; counts as a hit. */
    boolean separates(Exchange exchange, Entry entry) {
        int sender = exchange.sender().orElse(-1);
        for (CutOff one : cutOff) {
            if (sender != exchange.node() && (one.node() == sender || one.node() == exchange.node())) {
                one.rule().hit();
                entry.touchedBy(one.rule());
                return true;
            }
        }
        return false;
    }
}
