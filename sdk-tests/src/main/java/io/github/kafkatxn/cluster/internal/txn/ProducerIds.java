package io.github.kafkatxn.cluster.internal.txn;

import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** Producer ids, no two alike in the cluster: taken from the controller in blocks. Belongs to the node's thread. */
public final class ProducerIds {
    /** How many ids a block has. */
    public static final int BLOCK = 1_000;

    private final Source source;
    private long next;
    private long end;
    private boolean fetching;

    /** Gives blocks of ids. */
    @FunctionalInterface
    public interface Source {

        /**
         * Asks for a block.
         *
         * @param firstId gets its first id, on the node's thread
         */
        void nextBlock(LongConsumer firstId);
    }

    /**
     * Has no ids yet.
     *
     * @param source gives them
     */
    public ProducerIds(Source source) {
        this.source = source;
    }

    /** {@return an id; empty while a block is being fetched} */
    OptionalLong take() {
        if (next == end) {
            fetch();
            return OptionalLong.empty();
        }
        return OptionalLong.of(next++);
    }

    /** Fetches the first block. */
    public void fetch() {
        if (fetching) {
            return;
        }
        fetching = true;
        source.nextBlock(first -> {
            fetching = false;
            next = first;
            end = first + BLOCK;
        });
    }
}
