import { QueryFailedError, SettingsError } from '@proj/engine';

/** For foreseen errors; undefined for all others. */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof SettingsError) return error.message;
  return error instanceof QueryFailedError
    ? `database: it cannot be read (${error.message}).`
    : undefined;
}
