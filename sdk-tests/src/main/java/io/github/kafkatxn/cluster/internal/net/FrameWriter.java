package io.github.kafkatxn.cluster.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/** Writes frames to one socket in order, as fast as the other side takes them. */
final class FrameWriter {
    private final Deque<ByteBuffer> frames = new ArrayDeque<>();
    private final SocketChannel channel;
    private final SelectionKey key;

    FrameWriter(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
    }

    /** Writes what can be written at once; the rest follows when the socket is ready. */
    void write(ByteBuffer frame) throws IOException {
        frames.add(frame);
        flush();
    }

    /** {@return whether everything has left} */
    boolean isEmpty() {
        return frames.isEmpty();
    }

    void flush() throws IOException {
        for (ByteBuffer frame = frames.peek(); frame != null; frame = frames.peek()) {
            channel.write(frame);
            if (frame.hasRemaining()) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                return;
            }
            frames.remove();
        }
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
    }
}
