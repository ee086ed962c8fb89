import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { listOf } from '../../lists.ts';
import { open } from '../../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TABLES = [
  'create table countries (code varchar(2) not null primary key, name varchar(20) not null)',
  `create table customers (
    id int not null primary key, name varchar(20), country_code varchar(2),
    foreign key (country_code) references countries (code)
  )`,
  `create table orders (
    id int not null primary key, customer_id int, amount decimal(12, 2), pieces bigint,
    weight double precision, placed date, paid_at timestamp null,
    foreign key (customer_id) references customers (id)
  )`,
  "insert into countries values ('DE', 'Germany'), ('FR', 'France'), ('IT', 'Italy')",
  `insert into customers values
    (1, 'Ada', 'DE'), (2, 'ada', 'DE'), (3, 'Bob', 'FR'), (4, null, null), (5, 'Ada', 'FR')`,
  `insert into orders values
    (1, 1, 10.50, 9223372036854775807, 0.1, '2024-02-29', '2024-02-29 23:59:59'),
    (2, 1, 20.25, 9223372036854775807, 0.2, '2024-03-01', '2024-03-01 00:00:00'),
    (3, 2, null, 1, null, '2024-12-30', '2024-12-30 12:30:00'),
    (4, 3, 1.00, -5, 1.5, '2025-01-01', null),
    (5, 4, -3.75, null, 2, null, '2025-01-01 00:30:00'),
    (6, null, 100.00, 7, 3, '2025-06-30', '2025-06-30 23:00:00'),
    (7, 5, 0.01, 2, 1e20, '2025-07-01', '2025-06-30 23:59:59')`,
];

const MODELS = {
  orders: {
    relations: { customer: { attributes: ['customer_id'], model: 'customers', key: ['id'] } },
  },
  customers: {
    relations: { country: { attributes: ['country_code'], model: 'countries', key: ['code'] } },
  },
};

/** Digits, with zeros behind them or without. */
function digits(text: string): unknown {
  return expect.stringMatching(new RegExp(`^${text}0*$`));
}

const COUNT = { name: 'n', op: 'count' };

describe.each(FIXTURES)('groups on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(TABLES);
    engine = await open(database.url, { models: MODELS });
  });

  async function groups(members: object): Promise<{ result: unknown; total: string }> {
    const body = listOf({ query_model: 'orders', ...members });
    const { result, page } = await engine.query(body, EVERYTHING);
    return { result: JSON.parse(result) as unknown, total: String(page.total) };
  }

  it('are the values along a relation with their numbers of records, NULL last', async () => {
    const found = await groups({
      query_groups: ['customer.country.name'],
      query_aggregates: [COUNT],
    });
    expect(found).toEqual({
      result: [
        { 'customer.country.name': 'France', n: '2' },
        { 'customer.country.name': 'Germany', n: '3' },
        { 'customer.country.name': null, n: '2' },
      ],
      total: '3',
    });
  });

  it('have exact sums and averages, and the first and the last value', async () => {
    const attributes = ['amount', 'pieces', 'weight', 'placed'];
    const records: Record<string, unknown> = {};
    for (const attribute of attributes) {
      const aggregates = (['sum', 'average', 'min', 'max', 'count', 'count_distinct'] as const)
        .filter((op) => attribute !== 'placed' || !['sum', 'average'].includes(op))
        .map((op) => ({ name: `${attribute}_${op}`, op, attribute }));
      const { result } = await groups({
        query_groups: ['customer.name'],
        query_aggregates: aggregates,
        query_group_filter: { attribute: 'customer.name', op: 'eq', value: 'Ada' },
      });
      Object.assign(records, (result as object[])[0]);
    }
    expect(records).toEqual({
      'customer.name': 'Ada',
      amount_sum: '30.76',
      amount_average: '10.2533333333333333',
      amount_min: '0.01',
      amount_max: '20.25',
      amount_count: '3',
      amount_count_distinct: '3',
      pieces_sum: '18446744073709551616',
      pieces_average: '6148914691236517205.3333333333333333',
      pieces_min: '2',
      pieces_max: '9223372036854775807',
      pieces_count: '3',
      pieces_count_distinct: '2',
      weight_sum:
        fixture.family === 'MariaDB' ? '100000000000000000000' : '100000000000000000000.3',
      weight_average: expect.stringMatching(/^33333333333333/) as unknown,
      weight_min: 0.1,
      weight_max: 100_000_000_000_000_000_000,
      weight_count: '3',
      weight_count_distinct: '3',
      placed_min: '2024-02-29',
      placed_max: '2025-07-01',
      placed_count: '3',
      placed_count_distinct: '3',
    });
  });

  it.each([
    ['year', ['2024-01-01', '2025-01-01', null]],
    ['quarter', ['2024-01-01', '2024-10-01', '2025-01-01', '2025-04-01', '2025-07-01', null]],
    [
      'month',
      ['2024-02-01', '2024-03-01', '2024-12-01', '2025-01-01', '2025-06-01', '2025-07-01', null],
    ],
    ['week', ['2024-02-26', '2024-12-30', '2025-06-30', null]],
    [
      'day',
      ['2024-02-29', '2024-03-01', '2024-12-30', '2025-01-01', '2025-06-30', '2025-07-01', null],
    ],
  ] as const)('are cut to the %s that dates are in', async (by, values) => {
    const { result } = await groups({ query_groups: [{ attribute: 'placed', by }] });
    expect(result).toEqual(values.map((value) => ({ [`placed.${by}`]: value })));
  });

  it('are cut to the hour that moments are in', async () => {
    const { result } = await groups({
      query_groups: [{ attribute: 'paid_at', by: 'hour' }],
      query_aggregates: [COUNT],
      query_group_filter: { attribute: 'n', op: 'gt', value: '1' },
    });
    expect(result).toEqual([
      { 'paid_at.hour': expect.stringMatching(/^2025-06-30T23:00:00Z?$/) as unknown, n: '2' },
    ]);
  });

  it('are filtered before and after, sorted by sums, and paged with their exact number', async () => {
    const members = {
      query_attributes: ['customer_id', 'revenue', 'n'],
      query_groups: ['customer_id'],
      query_aggregates: [COUNT, { name: 'revenue', op: 'sum', attribute: 'amount' }],
      query_filter: { attribute: 'id', op: 'lte', value: 6 },
      query_group_filter: { attribute: 'revenue', op: 'gt', value: '-3.76' },
      query_sort: [{ attribute: 'revenue', direction: 'desc' }],
    };
    const all = [
      { customer_id: null, revenue: digits('100\\.?'), n: '1' },
      { customer_id: expect.anything() as unknown, revenue: digits('30.75'), n: '2' },
      { customer_id: expect.anything() as unknown, revenue: digits('1\\.?'), n: '1' },
      { customer_id: expect.anything() as unknown, revenue: digits('-3.75'), n: '1' },
    ];
    expect(await groups(members)).toEqual({ result: all, total: '4' });
    for (const page of [1, 2, 3]) {
      const part = { ...members, page: { page, size: 2 } };
      const result = all.slice((page - 1) * 2, page * 2);
      expect(await groups(part)).toEqual({ result, total: '4' });
    }
    const { query_attributes: attributes, ...grouping } = members;
    const { records } = await exported(engine, { model: 'orders', attributes, grouping });
    expect(records).toEqual(all);
  });

  it.each([
    ['not', 'none', { total: null }],
    ['up to fewer than there are', { up_to: 2 }, { total: null, total_at_least: '3' }],
    ['up to more than there are', { up_to: 9 }, { total: '6' }],
  ])('are counted %s, where that is asked for', async (_how, query_total, counted) => {
    const body = {
      query_model: 'orders',
      query_groups: ['customer_id'],
      query_aggregates: [COUNT],
      query_group_filter: { attribute: 'n', op: 'gte', value: 1 },
      query_total,
    };
    for (const page of [1, 2, 3, 4]) {
      const answer = await engine.query(listOf({ ...body, page: { page, size: 2 } }), EVERYTHING);
      const { total, total_at_least: least, has_next: hasNext } = answer.page;
      const found = { total, ...(least !== undefined && { total_at_least: least }) };
      expect(found).toEqual(counted);
      expect(JSON.parse(answer.result)).toHaveLength([2, 2, 2, 0][page - 1] ?? 0);
      expect(hasNext).toBe(page < 3);
    }
  });

  it('are none of no records, on whatever page', async () => {
    for (const page of [1, 7]) {
      const found = await groups({
        query_groups: ['customer_id'],
        query_aggregates: [{ name: 'revenue', op: 'sum', attribute: 'amount' }],
        query_filter: { attribute: 'id', op: 'lt', value: 0 },
        page: { page, size: 3 },
      });
      expect(found).toEqual({ result: [], total: '0' });
    }
  });

  it('are of one evaluation where a view gives other values each time', async () => {
    const chance = {
      PostgreSQL: 'floor(random() * 4)::int',
      MariaDB: 'cast(floor(rand() * 4) as signed)',
      SQLite: 'abs(random()) % 4',
      DuckDB: 'floor(random() * 4)::int',
    }[fixture.family];
    const database = await fixture.create();
    const numbers = Array.from({ length: 40 }, (_, id) => `(${id})`);
    await database.execute([
      'create table numbers (id int not null primary key)',
      `insert into numbers values ${numbers.join(', ')}`,
      `create view chances as select id, ${chance} as chance from numbers`,
    ]);
    // SQLite says nothing of the types of computed columns.
    const typed = { attributes: { chance: { type: 'int64' } } } as const;
    const chances = { key: ['id'], ...(fixture.declaresTypes && typed) };
    const changing = await open(database.url, { models: { chances } });
    const body = listOf({
      query_model: 'chances',
      query_groups: ['chance'],
      query_aggregates: [COUNT],
    });
    for (let round = 0; round < 10; round++) {
      const { result, page } = await changing.query(body, EVERYTHING);
      const records = JSON.parse(result) as { n: string }[];
      expect(records.reduce((sum, { n }) => sum + Number(n), 0)).toBe(40);
      expect(Number(page.total)).toBe(records.length);
    }
  });
});
