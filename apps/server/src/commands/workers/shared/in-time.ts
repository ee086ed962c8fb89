import { QueryFailedError } from '@proj/engine';

const TIMEOUT_MS = 5000;

/**
 * @param undo called with an answer that nobody waits for any longer
 * @throws {QueryFailedError} `overloaded` when the primary process takes too long
 */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  undo?: (late: Answer) => void,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new QueryFailedError('overloaded', 'The primary process does not answer.'));
    void answer.then(undo, () => undefined);
  }, TIMEOUT_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
