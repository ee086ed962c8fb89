import { describe, expect, it } from 'vitest';

import { QueryFailedError, type QueryFailure } from '../errors.ts';
import { retryAfterRefresh } from './retry-after-refresh.ts';

const failed = (code: QueryFailure): QueryFailedError =>
  new QueryFailedError(code, `It is ${code}.`);

/** Attempts that fail with these errors, and succeed then; how often the schema was read. */
async function attempt(errors: readonly Error[], mayGoOn = true) {
  const left = [...errors];
  let refreshes = 0;
  const result = await retryAfterRefresh(
    async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'answer';
    },
    async () => {
      refreshes += 1;
      return mayGoOn;
    },
  ).catch((error: unknown) => error);
  return { result, refreshes };
}

describe('a query that fails because of the schema', () => {
  it('is attempted once again when its model was unavailable', async () => {
    const gone = failed('model_unavailable');
    expect(await attempt([gone])).toEqual({ result: 'answer', refreshes: 1 });
    expect(await attempt([gone, gone])).toEqual({ result: gone, refreshes: 1 });
  });

  it('is attempted twice again when the schema changed, and its model is unreadable then', async () => {
    const changed = failed('schema_changed');
    expect(await attempt([changed, changed])).toEqual({ result: 'answer', refreshes: 2 });
    const { result, refreshes } = await attempt([changed, changed, changed]);
    expect(refreshes).toBe(2);
    expect(result).toMatchObject({
      code: 'model_unreadable',
      message: changed.message,
      cause: changed,
    });
  });

  it('is not attempted again when another catalogue was applied meanwhile', async () => {
    const changed = failed('schema_changed');
    expect(await attempt([changed], false)).toEqual({ result: changed, refreshes: 1 });
  });
});

describe('a query that fails otherwise', () => {
  it.each([failed('overloaded'), new Error('broken')])('fails at once: %s', async (error) => {
    expect(await attempt([error])).toEqual({ result: error, refreshes: 0 });
  });
});
