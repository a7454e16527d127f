package io.github.kafkatxn.result;

import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of a call: success with a value, or a failure in one of the five categories of KIP-1050.
 *
 * <p>{@link #fold} makes the caller answer for every kind of outcome; for most callers the
 * {@linkplain TxnError#action() action} of the error is what decides:
 *
 * <pre>{@code
 * TxnResult<TransactionStats> committed = transaction.commit();
 * committed.error().ifPresent(error -> {
 *     switch (error.action()) {
 *         case RETRY_CALL -> ...        // commit again, nothing else is legal
 *         case ABORT_AND_REPLAY -> ...  // transaction.abort(), rewind, do the batch again
 *         case RECREATE -> ...          // producer.recreate(), go on from the committed offsets
 *         case STOP -> ...              // error.message() names what to change
 *     }
 * });
 * }</pre>
 *
 * <p>Results are immutable and may be shared between threads. Nothing but {@link #orElseThrow()} throws.
 *
 * @param <T> the value of a success
 */
public sealed interface TxnResult<T> {

    /**
     * The call did what it promises.
     *
     * @param value its result
     * @param <T> the type of the value
     */
    record Success<T>(T value) implements TxnResult<T> {}

    /**
     * A passing condition.
     *
     * @param failure what happened
     * @param <T> the type of the value of a success
     */
    record Retriable<T>(TxnError failure) implements TxnResult<T> {}

    /**
     * A passing condition that ends after leaders, coordinators or topic ids have been looked up again.
     *
     * @param failure what happened
     * @param <T> the type of the value of a success
     */
    record RefreshRetriable<T>(TxnError failure) implements TxnResult<T> {}

    /**
     * The transaction has to be aborted; the producer can go on.
     *
     * @param failure what happened
     * @param <T> the type of the value of a success
     */
    record Abortable<T>(TxnError failure) implements TxnResult<T> {}

    /**
     * The application has to recover, most often with a new producer.
     *
     * @param failure what happened
     * @param <T> the type of the value of a success
     */
    record ApplicationRecoverable<T>(TxnError failure) implements TxnResult<T> {}

    /**
     * A setting, a permission or a record has to be changed first.
     *
     * @param failure what happened
     * @param <T> the type of the value of a success
     */
    record InvalidConfiguration<T>(TxnError failure) implements TxnResult<T> {}

    /**
     * A success.
     *
     * @param value the value
     * @param <T> its type
     * @return the result
     */
    static <T> TxnResult<T> success(T value) {
        return new Success<>(value);
    }

    /**
     * A failure, in the variant of its category.
     *
     * @param error what happened
     * @param <T> the type of the value of a success
     * @return the result
     */
    static <T> TxnResult<T> failure(TxnError error) {
        return switch (error.category()) {
            case RETRIABLE -> new Retriable<>(error);
            case REFRESH_RETRIABLE -> new RefreshRetriable<>(error);
            case ABORTABLE -> new Abortable<>(error);
            case APPLICATION_RECOVERABLE -> new ApplicationRecoverable<>(error);
            case INVALID_CONFIGURATION -> new InvalidConfiguration<>(error);
        };
    }

    /**
     * Calls the one function that fits the outcome.
     *
     * @param onSuccess for a success, given its value
     * @param onRetriable for {@link Retriable}
     * @param onRefreshRetriable for {@link RefreshRetriable}
     * @param onAbortable for {@link Abortable}
     * @param onApplicationRecoverable for {@link ApplicationRecoverable}
     * @param onInvalidConfiguration for {@link InvalidConfiguration}
     * @param <R> the type of the answer
     * @return what the function answered
     */
    default <R> R fold(
            Function<? super T, ? extends R> onSuccess,
            Function<? super TxnError, ? extends R> onRetriable,
            Function<? super TxnError, ? extends R> onRefreshRetriable,
            Function<? super TxnError, ? extends R> onAbortable,
            Function<? super TxnError, ? extends R> onApplicationRecoverable,
            Function<? super TxnError, ? extends R> onInvalidConfiguration) {
        if (this instanceof Success<T> success) {
            return onSuccess.apply(success.value());
        } else if (this instanceof Retriable<T> retriable) {
            return onRetriable.apply(retriable.failure());
        } else if (this instanceof RefreshRetriable<T> refresh) {
            return onRefreshRetriable.apply(refresh.failure());
        } else if (this instanceof Abortable<T> abortable) {
            return onAbortable.apply(abortable.failure());
        } else if (this instanceof ApplicationRecoverable<T> recoverable) {
            return onApplicationRecoverable.apply(recoverable.failure());
        }
        return onInvalidConfiguration.apply(((InvalidConfiguration<T>) this).failure());
    }

    /**
     * Two-way form of {@link #fold(Function, Function, Function, Function, Function, Function)}.
     *
     * @param onSuccess for a success, given its value
     * @param onFailure for every failure
     * @param <R> the type of the answer
     * @return what the function answered
     */
    default <R> R fold(Function<? super T, ? extends R> onSuccess, Function<? super TxnError, ? extends R> onFailure) {
        return fold(onSuccess, onFailure, onFailure, onFailure, onFailure, onFailure);
    }

    /** {@return whether the call did what it promises} */
    default boolean isSuccess() {
        return this instanceof Success<T>;
    }

    /** {@return the failure, or nothing for a success} */
    default Optional<TxnError> error() {
        return fold(value -> Optional.empty(), Optional::of);
    }

    /** {@return what to do next after a failure, or nothing for a success} */
    default Optional<Action> action() {
        return error().map(TxnError::action);
    }

    /**
     * The value of a success.
     *
     * @return the value
     * @throws TxnException for every failure, with the {@link TxnError}
     */
    default T orElseThrow() {
        if (this instanceof Success<T> success) {
            return success.value();
        }
        throw new TxnException(error().orElseThrow());
    }
}
