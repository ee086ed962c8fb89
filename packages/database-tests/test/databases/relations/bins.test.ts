import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import { createTable, modelSettings, type Table } from '../tables.ts';

const OWNERS: Table = {
  name: 'owners',
  columns: { note: 'text' },
  rows: Array.from({ length: 12 }, (_, row) => [`owner ${row}`]),
};

/** Three of each owner, whose sums and averages have more digits than they have themselves. */
const ITEMS: Table = {
  name: 'items',
  columns: { owner_id: 'int32', ratio: 'float64', amount: 'decimal' },
  rows: Array.from({ length: 36 }, (_, row) => {
    const value = (row * 7) % 11;
    return [(row % 12) + 1, value / 7, `0.${String(value).padStart(2, '0')}`];
  }),
};

interface BinsReply {
  readonly facets: readonly [
    {
      readonly bins: readonly {
        readonly from: string | number;
        readonly to: string | number;
        readonly count: string;
      }[];
    },
  ];
}

describe.each(fixturesOf(import.meta.filename))('bins of related numbers on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    for (const table of [OWNERS, ITEMS]) await createTable(fixture, database, table);
    const { owners, items } = modelSettings(fixture, [OWNERS, ITEMS]);
    const relations = { owner: { attributes: ['owner_id'], model: 'owners', key: ['id'] } };
    const models = { owners: { ...owners }, items: { ...items, relations } };
    engine = await open(database.url, { models });
  });

  it.each([
    ['sum', 'ratio'],
    ['average', 'ratio'],
    ['max', 'ratio'],
    ['sum', 'amount'],
    ['average', 'amount'],
    ['max', 'amount'],
  ])('hold what lies between their ends: the %s of %s', async (op, attribute) => {
    const list = {
      query_model: 'owners',
      query_related: [{ name: 'number', related: 'items', op, attribute }],
    };
    const query_facets = [{ attribute: 'number', bins: 4 }];
    const { json } = await engine.facets({ ...list, query_facets }, EVERYTHING);
    const page = { query_attributes: ['number'], page: { page: 1, size: 100 } };
    const { result } = await engine.query({ ...list, ...page }, EVERYTHING);
    const numbers = (JSON.parse(result) as { number: string }[]).map(({ number }) =>
      Number(number),
    );
    const [{ bins }] = (JSON.parse(json) as BinsReply).facets;
    const isIn = (number: number, index: number): boolean => {
      const { from = 0, to = 0 } = bins[index] ?? {};
      return number >= Number(from) && (number < Number(to) || index === bins.length - 1);
    };
    expect(bins.map(({ count }) => count)).toEqual(
      bins.map((_, index) => String(numbers.filter((number) => isIn(number, index)).length)),
    );
    expect(bins.length).toBeGreaterThan(1);
  });
});
