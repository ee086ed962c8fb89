import { createClient } from '@proj/client';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseKinds } from '../support/database.ts';
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

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))('groups by the SDK on $name', (kind) => {
  let baseUrl = '';

  beforeAll(async () => {
    const database = await kind.start();
    const { run, close } = await database.connect();
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
    await close();
    const service = await startService({ database: database.url });
    baseUrl = service.origin;
    return async () => {
      await service.stop();
      await database.stop();
    };
  });

  it('are read by page, in walks, in one array and as an export, and are the same', async () => {
    const client = createClient<Models>({ baseUrl, token: TOKEN, int64: 'bigint' });
    const sales = client.groups({ ...SALES, size: 2 });
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
    const client = createClient<Models>({ baseUrl, token: TOKEN, int64: 'bigint' });
    const { records } = await client
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
