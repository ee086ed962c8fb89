import { expect, it } from 'vitest';

import { open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';
import { TENANT_SESSIONS, tenantGrant, TENANTS, TENANTS_SQL } from './tenants.ts';

const MODELS = {
  orders: {
    relations: { opened: { attributes: ['id'], model: 'open', key: ['id'], inverse: 'orders' } },
  },
};

const postgres = usePostgres(TENANTS_SQL);

it('counts for each caller the related rows that row-level security shows', async () => {
  const engine = await open(urlOf(postgres(), 'login'), { ...TENANT_SESSIONS, models: MODELS });
  const body = {
    query_model: 'open',
    query_attributes: ['id', 'n', 'last'],
    query_related: [
      { name: 'n', related: 'orders', op: 'count' },
      { name: 'last', related: 'orders', op: 'max', attribute: 'note' },
    ],
    page: { page: 1, size: 20 },
  };
  const sorted = { ...body, query_sort: [{ attribute: 'n', direction: 'desc' }] };
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  // Twice, as replies and totals are kept.
  for (const tenant of [1, 2, 1, 2]) {
    const own = ids.filter((id) => id % TENANTS === tenant);
    const rows = ids.map((id) =>
      own.includes(id) ? { id, n: '1', last: `of t${tenant}` } : { id, n: '0', last: null },
    );
    const ask = async (asked: object): Promise<unknown> =>
      JSON.parse((await engine.query(asked, tenantGrant(tenant))).result);
    expect(await ask(body)).toEqual(rows);
    const first = rows.toSorted((a, b) => Number(b.n) - Number(a.n) || a.id - b.id);
    expect(await ask(sorted)).toEqual(first);
    const filter = { attribute: 'n', op: 'gte', value: '1' };
    const { page } = await engine.query({ ...body, query_filter: filter }, tenantGrant(tenant));
    expect(page.total).toBe(String(own.length));
  }
});
