import { createClient } from '@proj/client';
import { beforeAll, describe, expect, it } from 'vitest';

import { SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';

interface Models {
  orders: { id: bigint; customer: string | null; amount: string; placed_on: string | null };
}

const SALES = {
  model: 'orders',
  by: ['customer', { attribute: 'placed_on', by: 'month' }],
  aggregates: {
    orders: { op: 'count' },
    revenue: { op: 'sum', attribute: 'amount' },
    last: { op: 'max', attribute: 'id' },
  },
} as const;

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

let baseUrl = '';

beforeAll(async () => {
  const { url, run } = await SQLITE.start();
  await run(
    'create table orders (id bigint not null primary key, customer varchar(9), amount decimal(9, 2) not null, placed_on date)',
  );
  for (let id = 1; id <= 24; id++)
    await run('insert into orders values (?, ?, ?, ?)', [
      id,
      id % 4 === 0 ? null : `c${id % 4}`,
      id / 4,
      `2024-0${1 + (id % 2)}-1${id % 5}`,
    ]);
  ({ origin: baseUrl } = await startService({ database: url }));
});

const open = () => createClient<Models>({ baseUrl, token: TOKEN, int64: 'bigint' });

describe('groups by the SDK', () => {
  it('are read by page, in walks, in one array and as an export, and are the same', async () => {
    const sales = open().groups({ ...SALES, size: 2 });
    const page = await sales.page(1);
    expect(page.total).toBe(4n);
    expect(page.records[0]).toEqual({
      customer: 'c1',
      'placed_on.month': '2024-02-01',
      orders: 6n,
      revenue: expect.stringMatching(/^16.50?$/) as unknown,
      last: 21n,
    });
    const { records, total } = await sales.all();
    expect(total).toBe(4n);
    expect(records.slice(0, 2)).toEqual(page.records);
    expect(await collected(sales.records())).toEqual(records);
    expect((await collected(sales.pages())).flatMap((each) => each.records)).toEqual(records);
    expect(await collected(await sales.export())).toEqual(records);
    expect(records.map(({ customer }) => customer)).toEqual(['c1', 'c2', 'c3', null]);
    const file = await sales.exportFile({ format: 'csv' });
    const [names] = (await new Response(file.body).text()).split('\r\n');
    expect(names).toBe('customer,placed_on.month,orders,revenue,last');
  });

  it('are filtered before and after, and sorted by what is computed', async () => {
    const { records } = await open()
      .groups({
        ...SALES,
        filter: { attribute: 'id', op: 'gt', value: 4 },
        groupFilter: { attribute: 'revenue', op: 'lt', value: '20' },
        sort: [{ attribute: 'revenue', direction: 'desc' }],
      })
      .all();
    expect(records.map(({ customer, orders }) => [customer, orders])).toEqual([
      ['c3', 5n],
      ['c2', 5n],
      ['c1', 5n],
    ]);
  });
});

describe('facets by the SDK', () => {
  it('have the types of their attributes, and counts as bigints', async () => {
    const { facets, total } = await open().facets({
      model: 'orders',
      filter: { attribute: 'id', op: 'lte', value: 10n },
      facets: [
        { attribute: 'customer', values: 2, sort: 'value' },
        { attribute: 'id', bins: 3 },
        { attribute: 'id', values: 1, filter: { attribute: 'id', op: 'gt', value: 23n } },
      ],
    });
    const [customers, ids, last] = facets;
    expect(customers.values.map(({ value, count }) => [value, count])).toEqual([
      ['c1', 3n],
      ['c2', 3n],
    ]);
    const { distinct, nulls, min, max } = customers;
    expect([distinct, nulls, min, max]).toEqual([3n, 2n, 'c1', 'c3']);
    expect(ids.bins).toEqual([
      { from: 1n, to: 4n, count: 3n },
      { from: 4n, to: 7n, count: 3n },
      { from: 7n, to: 10n, count: 4n },
    ]);
    expect([ids.sum, ids.average, ids.others]).toEqual(['55', '5.5', 0n]);
    expect(last.values).toEqual([{ value: 24n, count: 1n }]);
    expect(total).toBe(10n);
  });
});
