import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import { ENDLESS, QUERY_PATH } from '../helper.ts';
import { openShop, SHOP, SHOP_ROLES } from './shop.ts';

// strict-json.test.ts holds the depth of a body to its limit, slow-sender.test.ts cuts slow
// senders off.

const columns = Array.from({ length: 201 }, (_, index) => `a${index}`);
const WIDE = `create table wide (id integer primary key, ${columns.join(' int, ')} int);`;

const shop = await openShop({
  sql: `${SHOP} ${WIDE} ${ENDLESS}`,
  settings: `${SHOP_ROLES}
models: { endless: { key: [id] } }
limits: { query_timeout_ms: 5000 }
rate_limits: { concurrent_queries: 1 }
`,
});

const TOKEN = 'audit-token';

const leaf = { attribute: 'id', op: 'gt', value: '0' };
const leaves = (count: number) => ({
  query_filter: { or: Array.from({ length: count }, () => leaf) },
});
const values = (...counts: readonly number[]) => ({
  query_filter: {
    or: counts.map((count) => ({
      attribute: 'id',
      op: 'in',
      value: [...Array(count).keys()].map(String),
    })),
  },
});

/** A filter that is so many levels deep, a comparison being one. */
function deep(levels: number): object {
  return levels === 1 ? leaf : { not: deep(levels - 1) };
}

/** A body of so many bytes. */
function bytes(length: number): string {
  const body = { query_model: 'orders', query_attributes: ['id'], page: { page: 1, size: 1 } };
  return JSON.stringify(body).padEnd(length, ' ');
}

function send(payload: string): Promise<LightMyRequestResponse> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return shop.app.inject({ method: 'POST', url: QUERY_PATH, headers, payload });
}

const attributes = (count: number) => ({
  query_model: 'wide',
  query_attributes: columns.slice(0, count),
});
const sorted = (count: number) => ({
  ...attributes(1),
  query_sort: columns.slice(0, count).map((attribute) => ({ attribute })),
});

describe('a limit', () => {
  it.each([
    [
      'the size of a page',
      { page: { page: 1, size: 1000 } },
      { page: { page: 1, size: 1001 } },
      'size_too_large',
    ],
    ['the attributes', attributes(200), attributes(201), 'too_many_attributes'],
    [
      'the depth of a filter',
      { query_filter: deep(5) },
      { query_filter: deep(6) },
      'filter_too_large',
    ],
    ['the comparisons of a filter', leaves(50), leaves(51), 'filter_too_large'],
    ['the values of a list', values(1000), values(1001), 'filter_too_large'],
    ['the values of all lists together', values(500, 500), values(500, 501), 'filter_too_large'],
    [
      'the page',
      { page: { page: 2 ** 53 - 1, size: 1000 } },
      { page: { page: 2 ** 53, size: 1000 } },
      'out_of_range',
    ],
  ] as const)('lets all of it pass and no more: %s', async (_what, most, tooMuch, code) => {
    expect((await shop.ask(TOKEN, most)).statusCode).toBe(200);
    expect(await shop.ask(TOKEN, tooMuch)).toBeProblem(code);
  });

  it('lets all of it pass and no more: the terms of a sort', async () => {
    expect((await shop.ask(TOKEN, sorted(5))).statusCode).toBe(200);
    expect((await shop.ask(TOKEN, sorted(6))).statusCode).toBe(400);
  });

  it('lets all of it pass and no more: the bytes of a body', async () => {
    expect((await send(bytes(65_536))).statusCode).toBe(200);
    expect(await send(bytes(65_537))).toBeProblem('body_too_large');
  });

  it.each([10 ** 9, 2 ** 53 - 1])(
    'of the size is refused and never cut in silence: %i',
    async (size) => {
      const reply = await shop.ask(TOKEN, { page: { page: 1, size } });
      expect(reply).toBeProblem('size_too_large', '/page/size');
      expect(reply.json()).toMatchObject({ errors: [{ maximum: 1000 }] });
    },
  );

  it('of a filter holds for groups in groups, too', async () => {
    const group = {
      and: [leaves(17).query_filter, leaves(17).query_filter, leaves(17).query_filter],
    };
    expect(await shop.ask(TOKEN, { query_filter: group })).toBeProblem('filter_too_large');
  });
});

/** How the queries of somebody else fare meanwhile. */
async function others(): Promise<number[]> {
  const statuses = [];
  for (let count = 0; count < 15; count++)
    statuses.push((await shop.ask('north-token')).statusCode);
  return statuses;
}

describe('an attacker with a token', () => {
  const BUSY: readonly object[] = [
    leaves(50),
    values(1000),
    { page: { page: 2 ** 53 - 1, size: 1000 } },
    { query_filter: { attribute: 'customer', op: 'icontains', value: '%_'.repeat(5000) } },
    { query_attributes: Array.from({ length: 5000 }, (_, index) => `x${index}`) },
  ];

  it('who sends the largest requests that there are does not stop the others', async () => {
    const attack = Promise.all(
      Array.from({ length: 60 }, (_, index) => shop.ask(TOKEN, BUSY[index % BUSY.length])),
    );
    expect(new Set(await others())).toEqual(new Set([200]));
    for (const { statusCode } of await attack) expect([200, 400, 429]).toContain(statusCode);
  });

  it('who sends queries without an end is held to the limit, stopped in time, and stops nobody', async () => {
    const endless = { query_model: 'endless', page: { page: 1, size: 1 } };
    const attack = Promise.all(Array.from({ length: 20 }, () => shop.ask(TOKEN, endless)));
    expect(new Set(await others())).toEqual(new Set([200]));
    const statuses = (await attack).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(19);
    expect(statuses.filter((status) => status === 504)).toHaveLength(1);
    expect((await shop.ask(TOKEN)).statusCode).toBe(200);
  });
});
