package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** Answers with errors, as kafka-clients makes them: in every place of the answer where the key has an error. */
final class ErrorAnswers {
    private ErrorAnswers() {}

    /** An answer to a whole request. One that wants no answer (acks=0) has its connection closed, as with a broker. */
    static Outcome to(RequestFrame frame, Errors error) {
        return to(frame, frame.body(), error);
    }

    /** An answer to another request of the same key and version. */
    static Outcome to(RequestFrame frame, ApiMessage body, Errors error) {
        if (body instanceof TxnShareAcknowledge.Request request) {
            return Outcome.answer(request.failed(error));
        }
        ApiKeys key = ApiKeys.forId(frame.format().key());
        AbstractRequest request = AbstractRequest.parseRequest(
                        key, frame.version(), MessageUtil.toByteBufferAccessor(body, frame.version()))
                .request;
        AbstractResponse response = request.getErrorResponse(0, error.exception());
        return response == null ? Outcome.DISCONNECT : Outcome.answer(response.data());
    }
}
