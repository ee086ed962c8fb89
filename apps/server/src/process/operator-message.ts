import { QueryFailedError, SettingsError } from '@proj/engine';

/** The message for an operator about an error that can be foreseen; undefined for all others. */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof SettingsError) return error.message;
  return error instanceof QueryFailedError
    ? `database: it cannot be read (${error.message}).`
    : undefined;
}
