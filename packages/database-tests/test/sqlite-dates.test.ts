import { DatabaseSync } from 'node:sqlite';

import type { Operator, WireType } from '@proj/contract';
import {
  catalogueDocument,
  type Engine,
  EVERYTHING,
  type InvalidQueryError,
  readRelations,
  type StoredAs,
} from '@proj/engine';
import { sqlite } from '@proj/sqlite';
import { eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { open } from './open.ts';

type Stored = null | string | number | bigint | Uint8Array;

interface Row {
  readonly id: number;
  readonly at: string | null;
}

interface Asked {
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly size?: number;
  readonly page?: number;
}

/** A table with a column of events, as the model of its name. */
interface Events {
  readonly engine: Engine;
  readonly model: string;
}

/** The rows of a page that is not past the end, as many as the total says. */
async function rows(
  { engine, model }: Events,
  { filter, sort, size = 1000, page = 1 }: Asked = {},
): Promise<Row[]> {
  const body = {
    query_model: model,
    query_attributes: ['id', 'at'],
    ...(filter !== undefined && { query_filter: filter }),
    ...(sort !== undefined && { query_sort: sort }),
    page: { page, size },
  };
  const { result, page: metadata } = await engine.query(body, EVERYTHING);
  const found = (JSON.parse(result) as { id: string; at: string | null }[]).map(({ id, at }) => ({
    id: Number(id),
    at,
  }));
  const before = BigInt(page - 1) * BigInt(size);
  expect(BigInt(found.length)).toBe(
    [BigInt(size), BigInt(metadata.total ?? '') - before].reduce((a, b) => (a < b ? a : b)),
  );
  return found;
}

async function ids(events: Events, filter: unknown): Promise<number[]> {
  return (await rows(events, { filter })).map(({ id }) => id);
}

/** How a column is declared, and what the settings say of it. */
type Column = readonly [declared: string, attribute: object];

const CASES: readonly (readonly [string, WireType, StoredAs])[] = [
  ['datetime', 'timestamp', 'text'],
  ['timestamp', 'timestamp_tz', 'unix_seconds'],
  ['date', 'date', 'julian_day'],
  ['text', 'timestamp', 'unix_milliseconds'],
];

const COLUMNS: readonly Column[] = [
  ['datetime', {}],
  ['date', {}],
  ['datetime', { type: 'timestamp_tz' }],
  ['text collate nocase', { type: 'timestamp' }],
  ...['unix_seconds', 'unix_milliseconds', 'julian_day'].map((storedAs): Column => [
    'datetime',
    { storedAs },
  ]),
  ['integer', { storedAs: 'unix_seconds' }],
  ...CASES.map(([declared, type, storedAs]): Column => [declared, { type, storedAs }]),
];

/** One table for each column. */
const TABLES = COLUMNS.map(
  ([declared], index) => `create table events_${index} (id integer primary key, at ${declared});`,
);

let path: string;
let engine: Engine;
beforeAll(async () => {
  path = databaseFile(TABLES.join(''));
  const models = COLUMNS.map(([, at], index) => [`events_${index}`, { attributes: { at } }]);
  engine = await open(`sqlite:${path}`, { models: Object.fromEntries(models) });
});

/** The table with such a column, which holds these and nothing else. */
function eventsOf(declared: string, values: readonly Stored[], attribute: object = {}): Events {
  const column = JSON.stringify([declared, attribute]);
  const index = COLUMNS.findIndex((each) => JSON.stringify(each) === column);
  if (index === -1) throw new Error(`No table has the column ${column}.`);
  const model = `events_${index}`;
  const database = new DatabaseSync(path, { timeout: 60_000 });
  database.exec(`begin; delete from ${model}`);
  const insert = database.prepare(`insert into ${model} (at) values (?)`);
  for (const value of values) insert.run(value);
  database.exec('commit');
  database.close();
  return { engine, model };
}

const FORMS = [
  '2021-01-01 00:00:00',
  '2021-01-01T00:00:00',
  '2021-01-01',
  '2021-01-01 00:00',
  '2021-01-01 00:00:00.000',
  '2021-01-01T00:00:00Z',
];

describe('a DATETIME column of SQLite', () => {
  it('has no texts, bytes or numbers on its last day, nor the year 0 on its first', async () => {
    const last = ['9999-12-31 00:00:00', '9999-12-31 23:59:59.9999999'];
    const others = ['9999-12-30 23:59:59', 'never', '', Buffer.from('x'), 5, null];
    const first = ['0000-12-31 15:30:00', '0001-01-01 14:59:59'];
    const declared = [...last, ...first, '0000-12-31 14:59:59', ...others];
    const events = eventsOf('datetime', declared, { type: 'timestamp_tz' });
    const on = { attribute: 'at', op: 'on' };
    expect(await ids(events, { ...on, value: '9999-12-31' })).toEqual([1, 2]);
    expect(await ids(events, { not: { ...on, value: '9999-12-31' } })).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    const there = { ...on, value: '0001-01-01', time_zone: 'Etc/GMT-9' };
    expect(await ids(events, there)).toEqual([3, 4]);
  });

  it('sorts and filters from the start, without a word in the settings', async () => {
    const events = eventsOf('datetime', ['2021-01-02', '2021-01-01T12:00:00']);
    const { models } = catalogueDocument(engine.catalogue, EVERYTHING);
    const model = models.find(({ name }) => name === events.model);
    expect(model?.attributes.find(({ name }) => name === 'at')).toMatchObject({
      type: 'timestamp',
      sortable: true,
      facets: ['values', 'bins'],
    });
    expect((await rows(events, { sort: [{ attribute: 'at' }] })).map(({ id }) => id)).toEqual([
      2, 1,
    ]);
  });

  it('shows instants in UTC where the settings say timestamp_tz', async () => {
    const stored = [
      '2021-01-01 02:00:00+02:00',
      '2021-01-01T00:00:00Z',
      '2021-01-01 00:00:00',
      '2021-01-01 00:00:00.5-00:30',
    ];
    const events = eventsOf('datetime', stored, { type: 'timestamp_tz' });
    expect((await rows(events)).map(({ at }) => at)).toEqual([
      ...Array.from({ length: 3 }, () => '2021-01-01T00:00:00Z'),
      '2021-01-01T00:30:00.5Z',
    ]);
    expect(
      await ids(events, { attribute: 'at', op: 'eq', value: '2021-01-01T05:30:00+05:30' }),
    ).toEqual([1, 2, 3]);
    expect(await ids(events, { attribute: 'at', op: 'gt', value: '2021-01-01T00:00:00Z' })).toEqual(
      [4],
    );
  });

  it.each<[StoredAs, Stored, string]>([
    ['unix_seconds', 1_609_459_200, '2021-01-01T00:00:00'],
    ['unix_seconds', 1_609_459_200.5, '2021-01-01T00:00:00.5'],
    ['unix_milliseconds', 1_609_459_200_123, '2021-01-01T00:00:00.123'],
    ['julian_day', 2_459_215.5, '2021-01-01T00:00:00'],
  ])('that the settings call %s reads %d as %s', async (storedAs, stored, at) => {
    const events = eventsOf('datetime', [stored, '2021-01-01 00:00:01', 'soon'], {
      storedAs,
    });
    expect(await rows(events)).toEqual([
      { id: 1, at },
      { id: 2, at: '2021-01-01T00:00:01' },
      { id: 3, at: 'soon' },
    ]);
    expect(await ids(events, { attribute: 'at', op: 'eq', value: at })).toEqual([1]);
    expect(await ids(events, { attribute: 'at', op: 'gt', value: '2021-01-01T00:00:01' })).toEqual([
      3,
    ]);
  });

  it('of type TEXT may be declared to hold dates too', async () => {
    const events = eventsOf(
      'text collate nocase',
      ['2021-01-01 00:00:00', '2021-01-01T00:00:00.000'],
      {
        type: 'timestamp',
      },
    );
    expect(await ids(events, { attribute: 'at', op: 'eq', value: '2021-01-01T00:00:00' })).toEqual([
      1, 2,
    ]);
  });
});

describe('a filter that orders dates', () => {
  it.each([
    { op: 'lt', value: '2026-13-01' },
    { op: 'lte', value: 'yesterday' },
    { op: 'gt', value: 'soon' },
    { op: 'gte', value: '2026-6-1' },
    { op: 'between', value: ['2026-01-01', '2026-02-30'] },
  ])('is refused where its value is none, even one that a row holds: %j', async (leaf) => {
    const events = eventsOf('date', ['2026-01-01', 'soon']);
    await expect(ids(events, { attribute: 'at', ...leaf })).rejects.toMatchObject({
      errors: [
        {
          pointer: leaf.op === 'between' ? '/query_filter/value/1' : '/query_filter/value',
          code: 'invalid_value',
          detail: expect.stringContaining('expected a date, such as "2026-01-31"') as string,
        },
      ],
    });
  });

  it('finds by equality what a row holds, also where that is no date', async () => {
    const events = eventsOf('date', ['2026-01-01', 'soon', '2026-01-01T00:00:00']);
    const value = 'soon';
    expect(await ids(events, { attribute: 'at', op: 'eq', value })).toEqual([2]);
    expect(await ids(events, { attribute: 'at', op: 'in', value: [value] })).toEqual([2]);
    expect(await ids(events, { attribute: 'at', op: 'ne', value })).toEqual([1, 3]);
    expect(await ids(events, { attribute: 'at', op: 'not_in', value: [value] })).toEqual([1, 3]);
    expect(await ids(events, { attribute: 'at', op: 'is_distinct', value })).toEqual([1, 3]);
    expect(await ids(events, { attribute: 'at', op: 'lte', value: '2026-01-01 00:00' })).toEqual([
      1, 3,
    ]);
  });
});

const anyStored: fc.Arbitrary<Stored> = fc.oneof(
  fc.constantFrom<Stored[]>(
    ...FORMS,
    null,
    'soon',
    '~',
    ':',
    'SOON',
    '',
    '2021-02-31',
    '2021-01-01 25:00:00',
    'é\0é',
    0,
    5,
    1_609_459_200,
    0.5,
    Number.POSITIVE_INFINITY,
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('T', ' ')),
  fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => text.isWellFormed()),
  fc.uint8Array({ maxLength: 3 }),
);

/**
 * Dates first, by what they are, and then what is none, as UTF-8. A date of the fuller types begins
 * like an RFC 3339 one.
 */
function place(at: string): [isNone: boolean, text: Buffer] {
  return [!isDate(at), Buffer.from(at.replace(/Z$/, isDate(at) ? '' : 'Z'))];
}

function isDate(at: string): boolean {
  return (
    /^\d{4}-(0[1-9]|1[0-2])-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d*[1-9])?Z?)?$/.test(at) &&
    !Number.isNaN(Date.parse(at.slice(0, 10))) &&
    new Date(`${at.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(at.slice(0, 10))
  );
}

function compare(a: string, b: string): number {
  const [[aNone, aText], [bNone, bText]] = [place(a), place(b)];
  return Number(aNone) - Number(bNone) || Buffer.compare(aText, bText);
}

const KEEPS: Partial<Record<Operator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  in: (order) => order === 0,
  is_distinct: (order) => order !== 0,
  between: (order) => order === 0,
};

/** What an operator takes; those that order values take dates alone. */
function operandOf(op: string, value: string): unknown {
  return op === 'in' || op === 'between' ? [value, value] : value;
}

function isBound(op: string): boolean {
  return !['eq', 'ne', 'in', 'is_distinct'].includes(op);
}

describe('whatever a column of dates holds', () => {
  it.each(eachNth(2, CASES))(
    'of %s as %s stored as %s, every reply finds its rows and has its place in the order',
    async (declared, type, storedAs) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStored, { minLength: 20, maxLength: 40 }), async (values) => {
          const events = eventsOf(declared, values, { type, storedAs });
          const all = await rows(events);
          const set = all.flatMap(({ id, at }) => (at === null ? [] : [{ id, at }]));
          const sorted = set
            .toSorted((a, b) => compare(a.at, b.at) || a.id - b.id)
            .map(({ id }) => id);
          const nulls = all.filter(({ at }) => at === null).map(({ id }) => id);
          expect((await rows(events, { sort: [{ attribute: 'at' }] })).map(({ id }) => id)).toEqual(
            [...sorted, ...nulls],
          );
          for (const value of set.map(({ at }) => at).slice(0, 8)) {
            for (const [op, keeps] of Object.entries(KEEPS)) {
              if (isBound(op) && !isDate(value)) continue;
              const kept = all.flatMap(({ id, at }) =>
                (at === null ? op === 'is_distinct' : keeps(compare(at, value))) ? id : [],
              );
              expect(
                await ids(events, { attribute: 'at', op, value: operandOf(op, value) }),
                `${op} ${JSON.stringify(value)}`,
              ).toEqual(kept);
            }
          }
        }),
        { numRuns: 4, seed: SEED },
      );
    },
  );
});

describe('a key of dates', () => {
  const SCRIPT = `create table events (at datetime not null primary key, id int) without rowid;
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
    insert into events select case i % 3 when 0 then datetime('2021-01-01', (i / 3) || ' hours') when 1 then strftime('%Y-%m-%dT%H:%M:%S', '2021-01-01', (i / 3) || ' hours') else 'none ' || i end, i from n`;

  let keyed: Engine;
  beforeAll(async () => {
    keyed = await open(`sqlite:${databaseFile(SCRIPT)}`);
  });

  it('orders every page totally, though two of its values may be one date', async () => {
    for (const sort of [
      undefined,
      [{ attribute: 'at' }],
      [{ attribute: 'at', direction: 'desc' }],
    ]) {
      const found: number[] = [];
      for (let page = 1; page <= 31; page++)
        found.push(
          ...(await rows({ engine: keyed, model: 'events' }, { sort, size: 10, page })).map(
            ({ id }) => id,
          ),
        );
      expect(found.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 300 }, (_, index) => index + 1),
      );
    }
  });

  it('is not in the catalogue, where it would promise that a date identifies a row', async () => {
    expect(catalogueDocument(keyed.catalogue, EVERYTHING).models).toMatchObject([
      { key: [], no_key: 'stored_dates', default_sort: [] },
    ]);
  });

  it('is named as the reason where a record is looked for by it', async () => {
    const page = { containing: { at: '2021-01-01T00:00:00' }, size: 1 };
    const query = { query_model: 'events', query_attributes: ['id'], page };
    const error: unknown = await keyed.query(query, EVERYTHING).catch((reason: unknown) => reason);
    const detail = expect.stringContaining('a part of its key is a date, which SQLite may store');
    expect((error as InvalidQueryError).errors).toMatchObject([{ code: 'no_visible_key', detail }]);
  });
});

describe('the relations of a file, for a draft of the settings', () => {
  it('say in which forms a column stores its dates, and how many rows have each', async () => {
    const mixed =
      databaseFile(`create table events (id integer primary key, at datetime, day date, note text);
      insert into events (at, day, note) values ('2021-01-01 00:00:00', null, '2021-01-01'), ('2021-01-01 00:00:00', '2021-01-01', ''), ('2021-01-01T00:00:00.5Z', null, ''),
        ('2021-01-01 00:00 +02:00', null, ''), (1609459200, null, ''), ('soon', null, ''), (x'00', null, ''), (0.5, null, ''), (null, null, '')`);
    const [relation] = await readRelations(`sqlite:${mixed}`, [sqlite]);
    const forms = relation?.columns.map(({ name, storedForms }) => [
      name,
      storedForms?.map(({ form, rows: found }) => `${found} ${form}`),
    ]);
    expect(forms).toEqual([
      ['id', undefined],
      [
        'at',
        [
          '2 YYYY-MM-DD HH:MM:SS',
          '1 YYYY-MM-DD HH:MM +HH:MM',
          '1 YYYY-MM-DDTHH:MM:SS.fZ',
          '1 blob',
          '1 integer',
          '1 no date',
          '1 real',
        ],
      ],
      ['day', ['1 YYYY-MM-DD']],
      ['note', undefined],
    ]);
  });
});

describe('the settings of a stored date', () => {
  it('are refused where the type is none of dates', () => {
    const { model } = eventsOf('integer', [1], { storedAs: 'unix_seconds' });
    expect(engine.reports).toMatchObject([
      {
        path: ['models', model, 'attributes', 'at', 'storedAs'],
        problem: 'at is int64, whose values are stored in one way.',
      },
    ]);
  });
});
