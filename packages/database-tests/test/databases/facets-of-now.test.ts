import type { AttributeSettings, Engine, ModelSettings } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { askFacets } from './checked-facets.ts';

/** Seconds by the clock with a fraction, and whether a transaction has one moment. */
const CLOCKS = {
  PostgreSQL: { seconds: 'extract(epoch from now())::float8', isSteady: true },
  DuckDB: { seconds: 'epoch(now())', isSteady: true },
  MariaDB: { seconds: 'unix_timestamp(now(6)) + 0e0', isSteady: false },
  SQLite: { seconds: "(julianday('now') - 2440587.5) * 86400", isSteady: false },
};

const ROWS = 3000;

const IDS = Array.from({ length: ROWS }, (_, index) => `(${index + 1})`);

describe.each(fixturesOf(import.meta.filename))('values of the clock on $name', (fixture) => {
  const { seconds, isSteady } = CLOCKS[fixture.family];
  const attributes = (age: AttributeSettings): Record<string, AttributeSettings> => ({
    id: fixture.declaresTypes ? { type: 'int32' } : {},
    age,
  });
  const models: Record<string, ModelSettings> = {
    days: { attributes: attributes({ sql: `${seconds} + id`, type: 'float64' }) },
    chosen: {
      sql: `select id, ${seconds} + id as age from days`,
      key: ['id'],
      attributes: attributes(fixture.declaresTypes ? { type: 'float64' } : {}),
    },
  };

  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([
      'create table days (id int not null primary key)',
      `insert into days values ${IDS.join(', ')}`,
    ]);
    engine = await open(database.url, { models });
  });

  it.each(Object.keys(models))('are divided into bins, each value once: %s', async (model) => {
    expect(engine.reports).toEqual([]);
    const { facets, total } = await askFacets(engine, {
      model,
      facets: [{ attribute: 'age', bins: 4 }],
    });
    const [{ bins = [], others = '', min, max } = {}] = facets;
    const counted = [...bins.map(({ count }) => count), others].map(Number);
    expect([total, counted.reduce((sum, count) => sum + count)]).toEqual([String(ROWS), ROWS]);
    expect(Math.round(Number(max) - Number(min))).toBe(ROWS - 1);
    expect(bins).toHaveLength(4);
    expect(isSteady ? others : '0').toBe('0');
  });
});
