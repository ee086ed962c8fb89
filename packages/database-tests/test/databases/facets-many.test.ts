import { FACET_LIMITS } from '@proj/contract';
import { expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { askFacets } from './checked-facets.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const FIRST = 1000;
const COPIES = 60;

/** What takes time by the square of the number of values takes several times as long. */
const QUERY_TIMEOUT_MS = 60_000;

it.each(FIXTURES)(
  'facets of very many values are counted within the time limit on $name',
  async (fixture) => {
    const database = await fixture.create();
    const { int64, int32 } = fixture.columnTypes;
    const values = Array.from({ length: FIRST }, (_, id) => `(${id}, ${id})`);
    await database.execute([
      `create table many (id ${int64} primary key, number ${int32} not null)`,
      `insert into many values ${values.join(', ')}`,
      `insert into many select one.id + ${FIRST} * (copy.id + 1), one.number + ${FIRST} * (copy.id + 1) ` +
        `from many one cross join many copy where copy.id < ${COPIES - 1}`,
    ]);
    const engine = await open(database.url, { queryTimeoutMs: QUERY_TIMEOUT_MS });
    const facets = [{ attribute: 'number', values: 1 }];
    const { facets: found } = await askFacets(engine, { model: 'many', facets });
    const count = FIRST * COPIES;
    const { distinct, min, max } = found[0] ?? {};
    expect([distinct, Number(min), Number(max)]).toEqual([String(count), 0, count - 1]);
  },
  2 * QUERY_TIMEOUT_MS,
);

it.each(FIXTURES)(
  'as many facets as a request may have are those of each attribute on $name',
  async (fixture) => {
    const database = await fixture.create();
    const { int64, int32 } = fixture.columnTypes;
    const names = Array.from({ length: FACET_LIMITS.facets }, (_, index) => `number_${index}`);
    const rows = [1, 2, 3].map((id) => `(${[id, ...names.map(() => id % 2)].join(', ')})`);
    await database.execute([
      `create table few (id ${int64} primary key, ${names.map((name) => `${name} ${int32}`).join(', ')})`,
      `insert into few values ${rows.join(', ')}`,
    ]);
    const engine = await open(database.url);
    const facets = names.map((attribute) => ({ attribute, values: 2 }));
    const { facets: found } = await askFacets(engine, { model: 'few', facets });
    const counted = found.map(({ values = [] }) => values.map(({ count }) => count));
    expect(counted).toEqual(names.map(() => ['2', '1']));
  },
);
