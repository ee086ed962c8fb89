import { QueryFailedError } from '../../engine/src/errors.ts';

/**
 * The code with which a question fails, or `answered`. Awaits it at once, so that no rejection goes
 * unseen.
 */
export function outcome(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof QueryFailedError ? error.code : String(error)),
  );
}
