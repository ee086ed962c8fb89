import type { RequestError } from '@proj/contract';

/** Known by kind, since a program may hold two copies of this package, as of a database's own. */
abstract class EngineError extends Error {
  static readonly kind: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Subclasses of others have no kind of their own.
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

/** `errors` lists every error, in the order of the body. */
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

/** `schema_changed`: a part is gone; `cancelled`: by the caller. Others are problem codes. */
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

/** A valid query got no answer. Retrying is safe: it only reads. */
export class QueryFailedError extends EngineError {
  static override readonly kind: string = 'QueryFailedError';
  override readonly name = 'QueryFailedError';
  readonly code: QueryFailure;
  readonly #words: string | undefined;

  constructor(
    code: QueryFailure,
    message: string,
    { words, ...options }: ErrorOptions & { readonly words?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.#words = words;
  }

  /** May hold values of rows. No logger finds it by itself. */
  get databaseWords(): string | undefined {
    return this.#words;
  }
}

/** The message says what to change. */
export class SettingsError extends EngineError {
  static override readonly kind: string = 'SettingsError';
  override readonly name = 'SettingsError';
}

/** The server answers but refuses the service, as for a wrong password. */
export class RefusedConnectionError extends SettingsError {
  static override readonly kind: string = 'RefusedConnectionError';
}

export class InvalidPositionError extends EngineError {
  static override readonly kind: string = 'InvalidPositionError';
  override readonly name = 'InvalidPositionError';
}
