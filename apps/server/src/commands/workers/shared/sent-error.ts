import { QueryFailedError, type QueryFailure, SettingsError } from '@proj/engine';

/** An error as it goes to another process. */
export interface SentError {
  readonly message: string;
  /** `settings`, the failure of a query, or undefined for what nobody foresaw. */
  readonly kind: 'settings' | QueryFailure | undefined;
  readonly stack: string | undefined;
}

export function toSentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof SettingsError) return { message, stack, kind: 'settings' };
  const kind = error instanceof QueryFailedError ? error.code : undefined;
  return { message, stack, kind };
}

export function fromSentError({ message, kind, stack }: SentError): Error {
  if (kind === 'settings') return new SettingsError(message);
  if (kind !== undefined) return new QueryFailedError(kind, message);
  return Object.assign(new Error(message), { stack });
}
