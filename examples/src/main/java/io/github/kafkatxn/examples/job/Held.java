package io.github.kafkatxn.examples.job;

/**
 * Where a lane stands still in mid-transaction.
 *
 * @param transactionalId of its transaction
 * @param record at which it stands
 */
record Held(String transactionalId, Delivery record) {

    /** What {@link #toString()} has written. */
    static Held parse(String line) {
        int space = line.indexOf(' ');
        return new Held(line.substring(0, space), Delivery.parse(line.substring(space + 1)));
    }

    @Override
    public String toString() {
        return transactionalId + " " + record;
    }
}
