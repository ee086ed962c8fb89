import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { followStatements } from '../followed-statements.ts';
import { open } from '../open.ts';
import { facetsBody } from './checked-facets.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const ROWS = 3000;

/** Two thirds of the records. */
const MANY = new Grant(
  new Map([
    ['things', { attributes: 'all' as const, rowPolicy: { attribute: 'few', op: 'ne', value: 0 } }],
  ]),
);

describe.each(FIXTURES)('equal requests for facets at once on $name', (fixture) => {
  let engine: Engine;
  beforeAll(async () => {
    const database = await fixture.create();
    const { int64, int32 } = fixture.columnTypes;
    const values = Array.from({ length: ROWS }, (_, id) => `(${id}, ${id % 3})`);
    await database.execute([
      `create table things (id ${int64} primary key, few ${int32} not null)`,
      `insert into things values ${values.join(', ')}`,
    ]);
    // A kept reply would answer whoever waits for a read.
    engine = await open(database.url, { acceleration: { replyCache: false } });
  });

  /**
   * Asks for values and bins of all records, and says how often the same statement read the table.
   * How many other statements a read has depends on whether the database knew a version for it.
   */
  async function ask(grants: readonly Grant[]): Promise<{ totals: string[]; reads: number }> {
    const statements = followStatements();
    const facets = [
      { attribute: 'few', values: 9 },
      { attribute: 'id', bins: 4 },
    ];
    const body = facetsBody({ model: 'things', facets });
    const answers = await Promise.all(grants.map((grant) => engine.facets(body, grant)));
    const reading = statements.filter(({ relations }) => relations !== undefined);
    const times = [...Map.groupBy(reading, ({ text }) => text).values()];
    return {
      totals: answers.map(({ json }) => JSON.parse(json).total),
      reads: Math.max(0, ...times.map(({ length }) => length)),
    };
  }

  it('share a read, which begins when the first of them has its own', async () => {
    const { totals, reads } = await ask(Array.from({ length: 12 }, () => EVERYTHING));
    expect(new Set(totals)).toEqual(new Set([String(ROWS)]));
    expect(reads).toBe(2);
  });

  it('do not share one where their callers see other records', async () => {
    const { totals } = await ask([EVERYTHING, MANY, EVERYTHING, MANY]);
    expect(totals).toEqual([ROWS, 2000, ROWS, 2000].map(String));
  });
});
