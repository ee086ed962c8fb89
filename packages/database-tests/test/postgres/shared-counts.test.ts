import { type Engine, EVERYTHING, QueryFailedError } from '@proj/engine';
import { beforeAll, expect, it, vi } from 'vitest';

import { bodyOf, hitsOf, open } from '../open.ts';
import { usePostgres } from './server.ts';

const SQL = `
  create table customers (id int primary key, name text not null);
  create table orders (
    id int primary key, parts int not null, customer_id int not null references customers);
  insert into customers values (1, 'Ada');
  insert into orders select n, n - 25, 1 from generate_series(1, 1000) n;
  create publication dynamic_query for table customers, orders`;

/** Of the third page's fifth order there is none. */
const SHARE = { sql: '100 / parts', type: 'int32', reads: 'row' } as const;

const postgres = usePostgres(SQL);
let engine: Engine;
beforeAll(async () => {
  engine = await open(postgres().url, {
    models: { orders: { attributes: { share: SHARE } } },
    follow: true,
    acceleration: { totalCache: false, replyCache: false },
  });
});

interface Page {
  readonly attribute: string;
  readonly page: number;
}

/** The version of a page of the orders up to an id, or why there is none. */
async function ask({ attribute, page }: Page, most: number): Promise<string | undefined> {
  const filter = { attribute: 'id', op: 'lte', value: most };
  const body = bodyOf({ model: 'orders', attributes: [attribute], page, filter });
  return engine.query(body, EVERYTHING).then(
    ({ version }) => version,
    (error: unknown) => (error instanceof QueryFailedError ? error.code : undefined),
  );
}

/** Of a list that nobody has asked for: its count may be expensive. */
async function askTogether(pages: readonly Page[], most: number) {
  const before = hitsOf(engine, 'count_batcher');
  const found = await Promise.all(pages.map(async (one) => ask(one, most)));
  return { found, shared: hitsOf(engine, 'count_batcher') - before };
}

it('callers who share a count have versions of all that they are shown', async () => {
  const [one, other, related] = [
    { attribute: 'id', page: 1 },
    { attribute: 'id', page: 2 },
    { attribute: 'customer.name', page: 3 },
  ];
  // Once their changes are followed, orders have a version of their own.
  const isFollowed = async (): Promise<void> => {
    const before = await ask(one, 998);
    await postgres().client(`update customers set name = 'Eve'`);
    expect(await ask(one, 998)).toBe(before);
  };
  await vi.waitFor(isFollowed, { timeout: 20_000 });
  const { found, shared } = await askTogether([one, other, related], 999);
  expect(found[1]).toBe(found[0]);
  expect(found[2]).not.toBe(found[0]);
  expect(shared).toBe(1);
});

it('callers who share a count with a page that has no value get their own', async () => {
  const pages = [1, 3, 2].map((page) => ({ attribute: 'share', page }));
  const { found, shared } = await askTogether(pages, 1000);
  expect(found.map((one) => one === 'data_error')).toEqual([false, true, false]);
  expect(shared).toBe(2);
});
