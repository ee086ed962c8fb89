import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { deepPagesOf } from '../index-builds.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const ROWS = 4000;

const SIZE = 10;

/** A margin has many rows, and none in every eleventh. */
const THINGS = Array.from({ length: ROWS }, (_, index) => {
  const id = index + 1;
  return { id, price: id % 97, cost: id % 11 === 0 ? null : id % 13 };
});

type Thing = (typeof THINGS)[number];

const ORDER = THINGS.toSorted((one, other) => marginOf(one) - marginOf(other) || one.id - other.id);

/** NULL is the largest. */
function marginOf({ price, cost }: Thing): number {
  return cost === null ? Infinity : price - cost;
}

const TUPLES = THINGS.map(({ id, price, cost }) => `(${id}, ${price}, ${cost})`);

describe.each(FIXTURES)('deep pages on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([
      'create table things (id int not null primary key, price int not null, cost int)',
      `insert into things values ${TUPLES.join(', ')}`,
    ]);
    const margin = { sql: 'price - cost', type: 'int64', reads: 'row' } as const;
    const id = fixture.declaresTypes ? ({ type: 'int32' } as const) : {};
    const sql = 'select id, price - cost as margin from things';
    const types = { attributes: { id, margin: { type: 'int64' } } } as const;
    const selected = { sql, key: ['id'], reads: ['things'], ...(fixture.declaresTypes && types) };
    const models = { things: { attributes: { id, margin } }, selected };
    engine = await open(database.url, { models });
  });

  it.each(['things', 'selected'])(
    'in the order of a computed attribute are the same by an index: %s',
    async (model) => {
      await deepPagesOf(engine, { model, sort: ['margin'] });
      for (let page = 1; page <= ROWS / SIZE; page += 13) {
        const sort = { query_sort: [{ attribute: 'margin' }] };
        const body = { query_model: model, query_attributes: ['id'], ...sort };
        const { result } = await engine.query({ ...body, page: { page, size: SIZE } }, EVERYTHING);
        const expected = ORDER.slice((page - 1) * SIZE, page * SIZE).map(({ id }) => ({ id }));
        expect(JSON.parse(result)).toEqual(expected);
      }
    },
  );
});
