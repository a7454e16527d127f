package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * SaslHandshake (key 17).
 *
 * <p><b>Versions</b>: 1.
 *
 * <p><b>Behaviour</b>: the mechanism is PLAIN, others are UNSUPPORTED_SASL_MECHANISM. ILLEGAL_SASL_STATE where nobody
 * has to log in, or who has done so already.
 *
 * <p><b>Left out</b>: version 0, after which the mechanism's bytes come without a header; logging in again.
 */
final class SaslHandshakeHandler implements ApiHandler<SaslHandshakeRequestData> {
    private static final String PLAIN = "PLAIN";

    private final Logins logins;

    SaslHandshakeHandler(Logins logins) {
        this.logins = logins;
    }

    @Override
    public short key() {
        return ApiMessageType.SASL_HANDSHAKE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.of(1, 1);
    }

    @Override
    public void handle(Call<SaslHandshakeRequestData> call) {
        SaslHandshakeResponseData response = new SaslHandshakeResponseData();
        if (call.connection().isAuthenticated()) {
            call.answer(response.setErrorCode(Errors.ILLEGAL_SASL_STATE.code()));
            return;
        }
        response.setMechanisms(List.of(PLAIN));
        if (!call.request().mechanism().equals(PLAIN)) {
            call.answer(response.setErrorCode(Errors.UNSUPPORTED_SASL_MECHANISM.code()));
            return;
        }
        logins.begin(call.connection());
        call.answer(response);
    }
}
