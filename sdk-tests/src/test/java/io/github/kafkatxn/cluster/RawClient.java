package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.ResponseFrame;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** A client that sends exactly what a test says, over one connection, and waits for each answer. */
public final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final Queue<Integer> unanswered = new ArrayDeque<>();
    private int correlationIds;
    private int answered;

    public RawClient(ReferenceCluster cluster, int node) throws IOException {
        this(cluster.bootstrapServers().split(",", -1)[node]);
    }

    /** To any broker of this machine, such as {@code localhost:9092}. */
    public RawClient(String address) throws IOException {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
    }

    public static RawClient of(ReferenceCluster cluster) throws IOException {
        return new RawClient(cluster, 0);
    }

    /** How long an answer is waited for from now on; 10 seconds at the beginning. */
    public void waitFor(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
    }

    /** Sends without waiting. */
    public void write(ApiMessage request, int version) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        if (!(request instanceof ProduceRequestData produce && produce.acks() == 0)) {
            unanswered.add(correlationIds);
        }
        write(Encoder.request(format, (short) version, correlationIds++, "raw", request)
                .array());
    }

    /** Sends bytes that need not be a request. */
    public void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** The answer to the first request that has none yet. */
    public <A extends ApiMessage> A read(ApiMessage request, int version, Class<A> type) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        ResponseFrame response = ResponseFrame.decode(ByteBuffer.wrap(frame), format, (short) version);
        answered = response.correlationId();
        Integer expected = unanswered.poll();
        if (expected != null && answered != expected) {
            throw new AssertionError("an answer to request " + answered + " where one to " + expected
                    + " was expected: answers come in the order of the requests");
        }
        return type.cast(response.body());
    }

    public <A extends ApiMessage> A send(ApiMessage request, int version, Class<A> type) throws IOException {
        write(request, version);
        return read(request, version, type);
    }

    /** The correlation id that came with the last answer. */
    public int lastAnswered() {
        return answered;
    }

    /** Whether the other side has closed; waits for it to do something. */
    public boolean isClosedByNode() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Whether there is still nothing to read after a short while; a node that is merely slow passes, too. */
    public boolean hearsNothing() throws IOException {
        socket.setSoTimeout(100);
        try {
            in.readByte();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (EOFException e) {
            return false;
        } finally {
            socket.setSoTimeout(PATIENCE_MS);
        }
    }

    public ApiVersionsResponseData apiVersions() throws IOException {
        return send(versionsRequest(), 3, ApiVersionsResponseData.class);
    }

    public static ApiVersionsRequestData versionsRequest() {
        return new ApiVersionsRequestData().setClientSoftwareName("raw").setClientSoftwareVersion("1");
    }

    public static InitProducerIdRequestData init(String transactionalId) {
        return TransactionMessages.init(transactionalId, 60_000, -1, -1);
    }

    /** Initializes, once the coordinator is there. */
    public InitProducerIdResponseData initialized(String transactionalId) throws IOException {
        awaitCoordinator(transactionalId);
        while (true) {
            InitProducerIdResponseData answer = send(init(transactionalId), 4, InitProducerIdResponseData.class);
            if (answer.errorCode() != Errors.COORDINATOR_LOAD_IN_PROGRESS.code()
                    && answer.errorCode() != Errors.CONCURRENT_TRANSACTIONS.code()
                    && answer.errorCode() != Errors.NOT_COORDINATOR.code()) {
                return answer;
            }
            Thread.onSpinWait();
        }
    }

    /** The node that coordinates a transactional id. */
    public int awaitCoordinator(String transactionalId) throws IOException {
        FindCoordinatorRequestData request =
                new FindCoordinatorRequestData().setKey(transactionalId).setKeyType((byte) 1);
        Optional<Integer> found = Optional.empty();
        while (found.isEmpty()) {
            FindCoordinatorResponseData answer = send(request, 1, FindCoordinatorResponseData.class);
            found = answer.errorCode() == 0 ? Optional.of(answer.nodeId()) : Optional.empty();
        }
        return found.get();
    }

    public static AddPartitionsToTxnRequestData add(
            String transactionalId, InitProducerIdResponseData id, String topic, Integer... partitions) {
        return TransactionMessages.add(transactionalId, id.producerId(), id.producerEpoch(), topic, partitions);
    }

    public static EndTxnRequestData end(String transactionalId, InitProducerIdResponseData id, boolean commit) {
        return TransactionMessages.end(transactionalId, id.producerId(), id.producerEpoch(), commit);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
