import type { RequestError } from '@proj/contract';

/**
 * An error that is known by its kind: a program may hold two copies of this package, as where that
 * of a database found one of its own, and each knows the errors of the other.
 */
abstract class EngineError extends Error {
  static readonly kind: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that somebody else makes of one of these has no kind of its own.
    if (!Object.hasOwn(this, 'kind')) return super[Symbol.hasInstance](value);
    let known: unknown = value instanceof Error ? value.constructor : undefined;
    while (typeof known === 'function') {
      if (Object.hasOwn(known, 'kind') && (known as typeof EngineError).kind === this.kind)
        return true;
      known = Object.getPrototypeOf(known);
    }
    return false;
  }
}

/** The request is not valid; `errors` lists every error of it, in the order of the body. */
export class InvalidQueryError extends EngineError {
  static override readonly kind: string = 'InvalidQueryError';
  override readonly name = 'InvalidQueryError';
  readonly errors: readonly RequestError[];

  constructor(errors: readonly RequestError[]) {
    const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
    super(`The query has ${count}: ${errors[0]?.detail}`);
    this.errors = errors;
  }
}

/**
 * Why a valid query got no answer. `schema_changed`: a table or column is gone that the catalogue
 * still has; `cancelled`: the caller disconnected. All others are problem codes of the contract.
 */
export type QueryFailure =
  | 'database_unavailable'
  | 'model_unavailable'
  | 'model_unreadable'
  | 'no_common_state'
  | 'data_error'
  | 'session_refused'
  | 'policy_failed'
  | 'reply_too_large'
  | 'overloaded'
  | 'query_timeout'
  | 'shutting_down'
  | 'cancelled'
  | 'schema_changed';

/** A valid query got no answer. It only reads, so trying again is safe. */
export class QueryFailedError extends EngineError {
  static override readonly kind: string = 'QueryFailedError';
  override readonly name = 'QueryFailedError';
  readonly code: QueryFailure;
  readonly #words: string | undefined;

  constructor(code: QueryFailure, message: string, { words, ...options }: FailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.#words = words;
  }

  /** What the database said, where that may hold values of rows. No logger finds it by itself. */
  get databaseWords(): string | undefined {
    return this.#words;
  }
}

interface FailureOptions extends ErrorOptions {
  readonly words?: string;
}

/** The engine cannot be opened with these settings; the message says what to change. */
export class SettingsError extends EngineError {
  static override readonly kind: string = 'SettingsError';
  override readonly name = 'SettingsError';
}

/** The database server answers and does not let the service in, as with another password. */
export class RefusedConnectionError extends SettingsError {
  static override readonly kind: string = 'RefusedConnectionError';
}

/** A caller asks for a state of the data by a text that names none. */
export class InvalidPositionError extends EngineError {
  static override readonly kind: string = 'InvalidPositionError';
  override readonly name = 'InvalidPositionError';
}
