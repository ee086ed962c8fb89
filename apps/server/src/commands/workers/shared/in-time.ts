import { QueryFailedError } from '@proj/engine';

/** How long a request waits for the primary process, in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * An answer of the primary process.
 *
 * @throws {QueryFailedError} `overloaded` when it takes too long
 */
export async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new QueryFailedError('overloaded', 'The primary process does not answer.')),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
