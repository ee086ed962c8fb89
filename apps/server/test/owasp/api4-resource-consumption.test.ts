import { describe, expect, it } from 'vitest';

import { ENDLESS } from '../helper.ts';
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
