package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * SaslAuthenticate (key 36).
 *
 * <p><b>Versions</b>: 0-2.
 *
 * <p><b>Behaviour</b>: user and password of the mechanism PLAIN; who they belong to is the principal of the connection
 * from then on. SASL_AUTHENTICATION_FAILED says no more than that; ILLEGAL_SASL_STATE where nobody has to log in.
 * Without a handshake before it the connection is closed.
 *
 * <p><b>Left out</b>: sessions that end by time; closing the connection after a refusal, which clients do.
 */
final class SaslAuthenticateHandler implements ApiHandler<SaslAuthenticateRequestData> {
    private final Logins logins;

    SaslAuthenticateHandler(Logins logins) {
        this.logins = logins;
    }

    @Override
    public short key() {
        return ApiMessageType.SASL_AUTHENTICATE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SASL_AUTHENTICATE);
    }

    @Override
    public void handle(Call<SaslAuthenticateRequestData> call) {
        SaslAuthenticateResponseData response = new SaslAuthenticateResponseData();
        if (call.connection().isAuthenticated()) {
            call.answer(response.setErrorCode(Errors.ILLEGAL_SASL_STATE.code())
                    .setErrorMessage("SaslAuthenticate request received after successful authentication"));
            return;
        }
        if (!logins.take(call.connection())) {
            call.disconnect();
            return;
        }
        String token = new String(call.request().authBytes(), StandardCharsets.UTF_8);
        Optional<String> refusal = logins.refusal(token);
        if (refusal.isPresent()) {
            call.answer(response.setErrorCode(Errors.SASL_AUTHENTICATION_FAILED.code())
                    .setErrorMessage(refusal.get()));
            return;
        }
        call.connection().authenticated("User:" + Logins.user(token));
        call.answer(response);
    }
}
