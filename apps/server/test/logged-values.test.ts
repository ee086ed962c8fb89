import { QueryFailedError } from '@proj/engine';
import { expect, it } from 'vitest';

import { cityQuery, startService } from './helper.ts';

/** What a service logs whose engine fails with an error. */
async function logOf(error: Error, logValues?: boolean): Promise<string> {
  let text = '';
  const logStream = { write: (line: string) => void (text += line) };
  const query = async (): Promise<never> => {
    throw error;
  };
  const { ask } = await startService({
    logLevel: 'error',
    stub: { query },
    parts: { logStream, logValues },
  });
  await ask(cityQuery(1, 1));
  return text;
}

it.each(['data_error', 'policy_failed'] as const)(
  'the log of %s has values of rows only where the setting log_values says so',
  async (code) => {
    const error = new QueryFailedError(code, 'PostgreSQL 22P02', { words: 'not a number: "Ada"' });
    const hidden = await logOf(error);
    expect(hidden).not.toContain('Ada');
    expect(hidden).toMatch(/PostgreSQL 22P02.*log_values: true/);
    expect(await logOf(error, true)).toContain(String.raw`not a number: \"Ada\"`);
  },
);
