import { QueryFailedError, type QueryFailure, SettingsError } from '@proj/engine';

export interface SentError {
  readonly message: string;
  /** Undefined for unforeseen errors. */
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
