import { EVERYTHING, InvalidQueryError, QueryFailedError } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { wideRows } from './wide-view.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const ROWS = 1000;
const CELL_BYTES = 200_000;

/** A busy machine takes long for it. */
const QUERY_TIMEOUT_MS = 80_000;
const LIMIT = { timeout: 3 * QUERY_TIMEOUT_MS };

describe.each(eachNth(FIXTURES.length, FIXTURES))('a page of 200 MB on $name', LIMIT, (fixture) => {
  it('is refused, the process never holds it, and a smaller one is answered next', async () => {
    const database = await fixture.create();
    await database.execute([`create view huge as ${wideRows(fixture, ROWS, CELL_BYTES)}`]);
    const engine = await open(database.url, {
      models: { huge: { key: ['id'] } },
      queryTimeoutMs: QUERY_TIMEOUT_MS,
    });
    const ask = (size: number): Promise<unknown> =>
      engine
        .query(bodyOf({ model: 'huge', attributes: ['cell'], size }), EVERYTHING)
        .catch((error: unknown) => {
          if (error instanceof InvalidQueryError) return error.errors[0]?.code;
          return error instanceof QueryFailedError ? error.code : error;
        });
    const { ownMemory = 0 } = fixture;
    const before = process.memoryUsage().rss;
    // Where statements run in the process, their limit of memory comes first.
    expect(await ask(ROWS)).toBe(ownMemory === 0 ? 'reply_too_large' : 'overloaded');
    expect(process.memoryUsage().rss - before).toBeLessThan((160 + ownMemory) * 2 ** 20);
    expect(await ask(2)).toMatchObject({ facts: { rows: 2 }, page: { total: String(ROWS) } });
  });
});
