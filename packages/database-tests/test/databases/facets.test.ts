import { facetsOf } from '@proj/contract';
import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import {
  askFacets,
  checkBins,
  checkValues,
  type FacetsReply,
  facetsBody,
} from './checked-facets.ts';
import { useTables } from './everywhere.ts';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';
import { type Table, wireTypeOf } from './tables.ts';
import { ASCENDING_KINDS, type AscendingKind, VALUES } from './values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const EMPTY: Table = { name: 'empty', columns: { number: 'int64', text: 'text' }, rows: [] };

const PEOPLE: Table = {
  name: 'people',
  columns: { region: 'text', age: 'int32', balance: 'int64', price: 'decimal', data: 'json' },
  rows: [
    ['north', 10, '9223372036854775807', '0.15', '{}'],
    ['north', 20, '9223372036854775807', '0.25', '{}'],
    ['south', 30, '9223372036854775807', '0.35', '{}'],
    ['south', 40, '-1', null, '{}'],
    ['south', null, null, null, '{}'],
    [null, 60, '0', '12.26', '{}'],
  ],
};

const TEXTS: Table = {
  name: 'texts',
  columns: { exact: 'text', prose: 'prose' },
  rows: [...NAUGHTY_STRINGS, 'a', 'A', 'á', 'a ', 'ß', 'ss', 'SS', '', ' ']
    .filter((text) => !text.includes('\0'))
    .flatMap((text, index) => Array.from({ length: 1 + (index % 2) }, () => [text, text])),
};

const everywhere = useTables([VALUES, PEOPLE, EMPTY, TEXTS], FIXTURES);

/** The reply that every database gives, in the same words. */
async function askAll(
  model: string,
  facets: readonly object[],
  { filter, grant = EVERYTHING }: { filter?: unknown; grant?: Grant } = {},
): Promise<FacetsReply> {
  const texts = await Promise.all(
    [...everywhere.engines].map(async ([name, engine]) => {
      const { json } = await engine.facets(facetsBody({ model, facets, filter }), grant);
      return [name, json] as const;
    }),
  );
  const [[, first] = ['', '']] = texts;
  expect(Object.fromEntries(texts)).toEqual(
    Object.fromEntries(texts.map(([name]) => [name, first])),
  );
  return JSON.parse(first) as FacetsReply;
}

/** One database on every commit, for the next kind another. */
function enginesFor(kind: AscendingKind): readonly Engine[] {
  const engines = [...everywhere.engines.values()];
  return eachNth(engines.length, engines, ASCENDING_KINDS.indexOf(kind));
}

describe('a request with more values of bins and filters than a statement takes', () => {
  const filter = { attribute: 'age', op: 'in', value: Array.from({ length: 1000 }, (_, i) => i) };
  const countOf = async (engine: Engine | undefined, count: number): Promise<unknown> => {
    const facets = Array.from({ length: count }, () => ({ attribute: 'age', bins: 1 }));
    const answer = await engine?.facets(
      facetsBody({ model: 'people', facets, filter }),
      EVERYTHING,
    );
    return JSON.parse(answer?.json ?? '{}').facets.length;
  };

  it('is refused by SQLite with what to do instead', async () => {
    await expect(countOf(everywhere.engines.get('SQLite'), 17)).rejects.toMatchObject({
      errors: [
        {
          pointer: '/query_facets',
          code: 'too_many_facets',
          detail: expect.stringMatching(
            / a statement of this database with 32766 at most\. Send /,
          ) as unknown,
        },
      ],
    });
  });

  it('is answered by SQLite up to there, and by the others beyond', async () => {
    expect(await countOf(everywhere.engines.get('SQLite'), 16)).toBe(16);
    const {
      SQLite: _,
      ['a plain database']: __,
      ...others
    } = Object.fromEntries(everywhere.engines);
    for (const engine of eachNth(2, Object.values(others)))
      expect(await countOf(engine, 17)).toBe(17);
  });
});

describe('facets of values', () => {
  it.each(['count', 'value'])('are ordered by %s, and then by value', async (sort) => {
    const { facets } = await askAll('people', [{ attribute: 'region', values: 9, sort }]);
    const [north, south] = [
      { value: 'north', count: '2' },
      { value: 'south', count: '3' },
    ];
    expect(facets).toEqual([
      {
        attribute: 'region',
        values: sort === 'count' ? [south, north] : [north, south],
        distinct: '2',
        nulls: '1',
        min: 'north',
        max: 'south',
      },
    ]);
  });

  it('are as many as were asked for, and say how many there are', async () => {
    const facet = { attribute: 'age', values: 2 };
    const { facets, total } = await askAll('people', [facet]);
    expect(facets[0]).toMatchObject({ distinct: '5', min: 10, max: 60 });
    expect([facets[0]?.values?.map(({ value }) => value), total]).toEqual([[10, 20], '6']);
  });

  it.each(ASCENDING_KINDS.filter((kind) => facetsOf(kind).length > 0))(
    'of %s are those of the list, on every database the same',
    async (kind) => {
      const attribute = `${kind}_or_null`;
      const { facets } = await askAll(VALUES.name, [{ attribute, values: 100 }]);
      expect(facets).toHaveLength(1);
      const spec = VALUES.columns[attribute] ?? 'text';
      // The reply is that of every database.
      for (const engine of enginesFor(kind))
        for (const facet of facets)
          await checkValues({ engine, model: VALUES.name }, facet, wireTypeOf(spec));
    },
  );
});

describe('facets of bins', () => {
  it('count the values between even bounds, and add them exactly', async () => {
    const { facets } = await askAll('people', [
      { attribute: 'age', bins: 5 },
      { attribute: 'balance', bins: 1 },
      { attribute: 'price', bins: 2 },
    ]);
    expect(facets).toEqual([
      {
        attribute: 'age',
        bins: [
          { from: 10, to: 20, count: '1' },
          { from: 20, to: 30, count: '1' },
          { from: 30, to: 40, count: '1' },
          { from: 40, to: 50, count: '1' },
          { from: 50, to: 60, count: '1' },
        ],
        nulls: '1',
        others: '0',
        min: 10,
        max: 60,
        sum: '160',
        average: '32',
      },
      {
        attribute: 'balance',
        bins: [{ from: '-1', to: '9223372036854775807', count: '5' }],
        nulls: '1',
        others: '0',
        min: '-1',
        max: '9223372036854775807',
        sum: '27670116110564327420',
        average: '5534023222112865484',
      },
      expect.objectContaining({ attribute: 'price', nulls: '2', max: '12.26' }),
    ]);
    expect(facets[2]?.average).toBe('3.2525');
  });

  it('add decimals to as many digits as their column has, and on SQLite to those that are needed', async () => {
    const filter = { attribute: 'price', op: 'in', value: ['0.15', '0.35'] };
    const sums: Record<string, unknown> = {};
    for (const [name, engine] of everywhere.engines) {
      const facets = [{ attribute: 'price', bins: 1, query_filter: filter }];
      const { json } = await engine.facets(facetsBody({ model: 'people', facets }), EVERYTHING);
      const [facet] = (JSON.parse(json) as FacetsReply).facets;
      sums[name] = [facet?.sum, facet?.average];
    }
    const ofSqlite = ['0.5', '0.25'];
    const expected: Record<string, unknown> = { SQLite: ofSqlite, 'a plain database': ofSqlite };
    for (const name of Object.keys(sums)) expected[name] ??= ['0.50', '0.25'];
    expect(sums).toEqual(expected);
  });

  it.each(ASCENDING_KINDS.filter((kind) => facetsOf(kind).includes('bins')))(
    'of %s are those of the list',
    async (kind) => {
      for (const bins of [1, 7])
        for (const engine of enginesFor(kind)) {
          const request = { model: VALUES.name, facets: [{ attribute: `${kind}_or_null`, bins }] };
          const { facets } = await askFacets(engine, request);
          expect(facets[0]?.bins?.length).toBeGreaterThan(bins === 1 ? 0 : 1);
          for (const facet of facets) await checkBins({ engine, model: VALUES.name }, facet);
        }
    },
  );

  it('are at most 1,000, and together of all records', async () => {
    const { facets } = await askAll(VALUES.name, [{ attribute: 'int64_always', bins: 1000 }]);
    expect(facets[0]?.bins).toHaveLength(1000);
    const counted = facets[0]?.bins?.reduce((sum, { count }) => sum + Number(count), 0);
    expect(counted).toBe(VALUES.rows.length);
  });
});

describe('a request for facets', () => {
  it('has what each facet’s own filter keeps, and the total of the common one', async () => {
    const south = { attribute: 'region', op: 'eq', value: 'south' };
    const facets = [
      { attribute: 'region', values: 9, query_filter: { attribute: 'age', op: 'gt', value: 10 } },
      { attribute: 'age', values: 9, query_filter: { not: south } },
    ];
    const reply = await askAll('people', facets, { filter: south });
    expect(reply.facets.map(({ values }) => values?.map(({ count }) => count))).toEqual([
      ['2', '1'],
      ['1', '1'],
    ]);
    expect([reply.total, reply.facets.map(({ nulls }) => nulls)]).toEqual(['3', ['1', '0']]);
    expect((await askAll('people', facets.slice(0, 1), { filter: south })).total).toBe('3');
  });

  it('never has records that the row policy hides, whatever its filters', async () => {
    const rowPolicy = { attribute: 'region', op: 'eq', value: 'north' } as const;
    const grant = new Grant(new Map([['people', { attributes: 'all' as const, rowPolicy }]]));
    const filter = { attribute: 'age', op: 'gt', value: 0 };
    const facets = [
      { attribute: 'region', values: 9 },
      { attribute: 'age', bins: 9, query_filter: { or: [filter, { not: filter }] } },
    ];
    const reply = await askAll('people', facets, { grant });
    expect(reply).toMatchObject({ total: '2', facets: [{ distinct: '1' }, { max: 20 }] });
  });

  it('of an empty list has no values, no bins and no ends', async () => {
    const facets = [
      { attribute: 'text', values: 3 },
      { attribute: 'number', bins: 3 },
    ];
    expect(await askAll('empty', facets)).toEqual({
      facets: [
        { attribute: 'text', values: [], distinct: '0', nulls: '0', min: null, max: null },
        {
          attribute: 'number',
          bins: [],
          nulls: '0',
          others: '0',
          min: null,
          max: null,
          sum: null,
          average: null,
        },
      ],
      total: '0',
    });
    const none = { attribute: 'id', op: 'lt', value: 0 };
    expect(await askAll('people', [{ attribute: 'age', bins: 3 }], { filter: none })).toMatchObject(
      { facets: [{ bins: [] }], total: '0' },
    );
  });

  it('of values that are all NULL counts them', async () => {
    const filter = { attribute: 'price', op: 'is_null' };
    const facets = [
      { attribute: 'price', values: 3 },
      { attribute: 'price', bins: 3 },
    ];
    expect(await askAll('people', facets, { filter })).toMatchObject({
      facets: [
        { values: [], distinct: '0', nulls: '2', min: null },
        { bins: [], nulls: '2', others: '0', sum: null, average: null },
      ],
      total: '2',
    });
  });
});

describe.each(FIXTURES)('on $name', ({ name }) => {
  const stored = new Map<unknown, number>();
  for (const [text] of TEXTS.rows) stored.set(text, (stored.get(text) ?? 0) + 1);

  it.each(['exact', 'prose'])(
    'texts of the column %s are counted byte for byte, whatever is equal to its collation',
    async (attribute) => {
      const engine = everywhere.engines.get(name);
      if (engine === undefined) throw new Error('There is no such engine.');
      const request = { model: TEXTS.name, facets: [{ attribute, values: 1000 }] };
      const { facets } = await askFacets(engine, request);
      for (const facet of facets) {
        expect(facet.values).toHaveLength(stored.size);
        const counts = facet.values?.map(({ value, count }) => [value, Number(count)] as const);
        expect(new Map(counts)).toEqual(stored);
        // Its values are compared already.
        const list = { engine, model: TEXTS.name, isUnfound: () => true };
        await checkValues(list, facet, 'text');
      }
    },
  );
});
