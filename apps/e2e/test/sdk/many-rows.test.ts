import { join } from 'node:path';

import { beforeRelease, startProgram } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import type { Report } from './programs/read-numbers.ts';

const PROGRAM = join(import.meta.dirname, 'programs', 'read-numbers.ts');

const ROWS = beforeRelease ? 1_000_000 : 60_000;

/** A third of what four fifths of the ids alone would take, were they kept. */
const GROWTH_BYTES = 20 * ROWS;

it(`reads ${ROWS} rows several pages at once, each once and in order, in memory that does not grow with them`, async () => {
  const { url, run } = await SQLITE.start();
  await run('create table numbers (id integer primary key, half real, note text)');
  await run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into numbers select i, i / 2.0, 'number ' || i from n`);
  const service = await startService({ database: url });

  const reader = startProgram(process.execPath, [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    PROGRAM,
    service.origin,
    TOKEN,
    String(ROWS),
  ]);
  onTestFinished(reader.stop);
  const { code, stdout, stderr } = await reader.ended;
  expect([code, stderr]).toEqual([0, '']);
  const report = JSON.parse(stdout) as Report;
  expect(report).toMatchObject({
    records: ROWS,
    outOfPlace: 0,
    last: {
      read: ROWS,
      total: String(ROWS),
      page: ROWS / 1000,
      pageCount: String(ROWS / 1000),
      drift: null,
    },
  });
  const { atAFifth, atTheEnd } = report.heapBytes;
  expect(Math.min(atAFifth, atTheEnd)).toBeGreaterThan(0);
  expect(atTheEnd - atAFifth).toBeLessThan(GROWTH_BYTES);
});
