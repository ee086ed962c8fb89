import { type Engine, EVERYTHING, type ModelSettings } from '@proj/engine';
import { beforeRelease } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const ROWS = 40;

/** So many lamps are on in each state of the data. */
const LIT = 10;

const SWITCHES = beforeRelease ? 400 : 40;

const LAMPS = Array.from({ length: ROWS }, (_, index) => `(${index + 1}, ${index < LIT ? 1 : 0})`);

const TABLES = [
  'create table lamps (id int not null primary key, state int not null)',
  `insert into lamps values ${LAMPS.join(', ')}`,
];

const SELECTION = { sql: 'select id from lamps where state = 1', key: ['id'] };

/** MySQL, MariaDB and DuckDB give sums as decimals. */
function models({ family }: Fixture): Record<string, ModelSettings> {
  const type = family === 'MariaDB' || family === 'DuckDB' ? 'decimal' : 'int64';
  return {
    lamps: {
      attributes: {
        glow: { sql: 'state * 2', type: 'int64', reads: 'row' },
        others: { sql: '(select sum(l.state) from lamps as l)', type },
      },
    },
    lit: SELECTION,
    read: { ...SELECTION, reads: ['lamps'] },
  };
}

const GLOWING = { attribute: 'glow', op: 'gt', value: '0' };
const AMONG = { attribute: 'others', op: 'eq', value: String(LIT) };

const LISTS = [
  { query_model: 'lamps', query_filter: GLOWING, shown: LIT },
  { query_model: 'lamps', query_filter: { and: [GLOWING, AMONG] }, shown: LIT },
  { query_model: 'lamps', query_filter: AMONG, shown: ROWS },
  { query_model: 'lit', shown: LIT },
  { query_model: 'read', shown: LIT },
];

describe.each(FIXTURES)('while rows are written on $name', (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await database.execute(TABLES);
    engine = await open(database.url, { models: models(fixture) });
  });

  /** Turns one lamp on and another off, in one transaction. */
  async function write(): Promise<void> {
    for (let from = 0; from < SWITCHES; from++) {
      const [off, on] = [(from % ROWS) + 1, ((from + LIT) % ROWS) + 1];
      await database.execute([
        'begin',
        `update lamps set state = 0 where id = ${off}`,
        `update lamps set state = 1 where id = ${on}`,
        'commit',
      ]);
    }
  }

  it('rows and total of each reply are of one state', async () => {
    expect(engine.reports).toEqual([]);
    const seen: unknown[] = [];
    const writer = { isDone: false };
    const written = write().finally(() => {
      writer.isDone = true;
    });
    while (!writer.isDone)
      for (const { shown, ...list } of LISTS) {
        const body = { ...list, query_attributes: ['id'], page: { page: 1, size: 100 } };
        const { result, page } = await engine.query(body, EVERYTHING);
        const records = (JSON.parse(result) as unknown[]).length;
        if (records !== shown || page.total !== String(shown))
          seen.push({ ...list, records, total: page.total });
      }
    await written;
    expect(seen).toEqual([]);
  });
});
