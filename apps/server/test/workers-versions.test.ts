import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { cityQuery, QUERY_PATH, until } from './helper.ts';
import { sharedWorkers, TOKEN } from './two-workers.ts';

const REQUESTS = 12;

/** The processes that have answered. */
function processesOf(output: string): Set<string | undefined> {
  const lines = output.split('\n').filter((line) => line.includes('"msg":"answered"'));
  return new Set(lines.map((line) => /"pid":(\d+)/.exec(line)?.[1]));
}

describe.skipIf(process.platform === 'win32')('two workers over one file', async () => {
  if (process.platform === 'win32') return;
  const { origin, file, output } = await sharedWorkers({ audit: 'stdout' });

  /** Each request has a connection of its own, so that both workers answer some. */
  async function replies(etag?: string): Promise<Response[]> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      connection: 'close',
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const body = JSON.stringify(cityQuery(1, 1));
    const ask = (): Promise<Response> =>
      fetch(origin + QUERY_PATH, { method: 'QUERY', headers, body });
    return Promise.all(Array.from({ length: REQUESTS }, ask));
  }

  /** What all replies say of a header, as soon as all have it: a fresh write has no version yet. */
  async function valuesOf(header: string): Promise<Set<string | null>> {
    let values = new Set<string | null>();
    await until(async () => {
      values = new Set((await replies()).map(({ headers }) => headers.get(header)));
      return !values.has(null);
    });
    return values;
  }

  it('name one version of the data as long as nobody writes, and another one after a write', async () => {
    const [before, ...others] = await valuesOf('data-version');
    expect(others).toEqual([]);
    await until(() => processesOf(output()).size === 2);
    const writer = new DatabaseSync(file);
    writer.exec('update cities set population = 1');
    writer.close();
    const after = await valuesOf('data-version');
    expect(after.size).toBe(1);
    expect(after).not.toContain(before);
  });

  it('find the reply of one another current', async () => {
    const [etag, ...others] = await valuesOf('etag');
    expect(others).toEqual([]);
    const statuses = (await replies(etag ?? '')).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([304]));
  });
});
