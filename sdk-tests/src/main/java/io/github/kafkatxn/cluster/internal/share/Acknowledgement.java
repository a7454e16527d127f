package io.github.kafkatxn.cluster.internal.share;

import java.util.List;

/**
 * What a member says of a range of offsets.
 *
 * @param first the first offset
 * @param last the last one
 * @param types one for all, or one for each
 */
public record Acknowledgement(long first, long last, List<Byte> types) {

    byte type(long offset) {
        return types.size() == 1 ? types.get(0) : types.get((int) (offset - first));
    }

    /**
     * Whether they are what a broker takes at all.
     *
     * @param batches of one partition
     * @param highestType the highest type allowed
     * @param renew whether renewals are allowed
     * @return what is wrong, empty if nothing is
     */
    public static String refusal(List<Acknowledgement> batches, int highestType, boolean renew) {
        long end = -1;
        for (Acknowledgement batch : batches) {
            if (batch.first > batch.last || batch.first < end) {
                return "Acknowledgement batches must be ranges, in order: " + batch.first + "-" + batch.last;
            }
            long size = batch.last - batch.first + 1;
            if (batch.types.isEmpty() || (batch.types.size() > 1 && batch.types.size() != size)) {
                return "One acknowledge type is needed, or " + size + ": there are " + batch.types.size();
            }
            for (byte type : batch.types) {
                if (type < AckType.GAP || type > highestType || (type == AckType.RENEW && !renew)) {
                    return "Invalid acknowledge type " + type;
                }
            }
            end = batch.last;
        }
        return "";
    }
}
