package io.github.kafkatxn.cluster.internal.fault;

import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request on its way through the fault plan. Belongs to the node's thread. */
final class Flow {
    private final Exchange exchange;
    private final Entry entry;
    private final Isolation isolation;

    Flow(Exchange exchange, Entry entry, Isolation isolation) {
        this.exchange = exchange;
        this.entry = entry;
        this.isolation = isolation;
    }

    Exchange exchange() {
        return exchange;
    }

    Entry entry() {
        return entry;
    }

    /** Nothing happens to it. */
    void pass() {
        handle(this::finish);
    }

    void handle(Consumer<Outcome> then) {
        handle(exchange.request().body(), then);
    }

    void handle(ApiMessage request, Consumer<Outcome> then) {
        exchange.handle(request, exchange.image(), then);
    }

    void finish(Outcome outcome) {
        Outcome end = isolation.separates(exchange, entry) ? Outcome.DISCONNECT : outcome;
        if (exchange.isOpen()) {
            end.answer().ifPresent(entry::answered);
        }
        exchange.finish(end);
    }
}
