package io.github.kafkatxn.cluster.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/** Cuts the bytes of one connection into frames. Takes memory only for what has really come, up to a limit. */
public final class FrameReader {
    private static final int FIRST_STEP = 64 * 1024;

    private final ByteBuffer size = ByteBuffer.allocate(Integer.BYTES);
    private final int limit;
    private @Nullable ByteBuffer frame;
    private int expected;

    /**
     * A reader at the beginning of a connection.
     *
     * @param limit the largest frame that is taken, in bytes, as {@code socket.request.max.bytes} of a broker
     */
    public FrameReader(int limit) {
        this.limit = limit;
    }

    /** What a read came to. */
    public enum Progress {
        /** The frame is not complete yet, and nothing more has come. */
        WAITING,
        /** A frame is complete: {@link FrameReader#take()} it. */
        COMPLETE,
        /** The other side has closed. */
        CLOSED
    }

    /**
     * Reads on, up to the end of one frame.
     *
     * @param channel a channel that does not block
     * @return how far it came
     * @throws IOException if the channel fails
     */
    public Progress read(ReadableByteChannel channel) throws IOException {
        if (frame == null) {
            if (channel.read(size) < 0) {
                return Progress.CLOSED;
            }
            if (size.hasRemaining()) {
                return Progress.WAITING;
            }
            begin(size.flip().getInt());
        }
        return fill(channel);
    }

    /** {@return the complete frame, without its size; the reader goes on with the next one} */
    public ByteBuffer take() {
        ByteBuffer complete = frame;
        if (complete == null || complete.position() < expected) {
            throw new IllegalStateException("no frame is complete");
        }
        frame = null;
        size.clear();
        return complete.flip();
    }

    private void begin(int bytes) {
        if (bytes < 0 || bytes > limit) {
            throw new MalformedRequestException("a frame of " + bytes + " bytes: allowed are 0 to " + limit);
        }
        expected = bytes;
        frame = ByteBuffer.allocate(Math.min(bytes, FIRST_STEP));
    }

    private Progress fill(ReadableByteChannel channel) throws IOException {
        ByteBuffer target = frame;
        while (target != null && target.position() < expected) {
            if (!target.hasRemaining()) {
                target = ByteBuffer.allocate(Math.min(expected, target.capacity() * 2))
                        .put(target.flip());
                frame = target;
            }
            int read = channel.read(target);
            if (read < 0) {
                return Progress.CLOSED;
            }
            if (read == 0) {
                return Progress.WAITING;
            }
        }
        return Progress.COMPLETE;
    }
}
