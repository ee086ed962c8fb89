import type { ModelSettings } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';
import { ROWS, TENANT_SESSIONS, TENANTS_SQL, tenantGrant } from './tenants.ts';

/** The login may read nothing of these itself. */
const MODELS: Record<string, ModelSettings> = {
  orders: {
    attributes: {
      loud: { sql: 'upper(note)', type: 'text', reads: 'row' },
      seen: { sql: '(select count(*) from orders as o)', type: 'int64' },
    },
  },
  all_orders: { sql: 'select id, tenant, note from orders', key: ['id'], reads: ['orders'] },
};

const page = { page: 1, size: 2 };

describe('what the settings compute for a caller', () => {
  const postgres = usePostgres(TENANTS_SQL);

  const opened = () => open(urlOf(postgres(), 'login'), { ...TENANT_SESSIONS, models: MODELS });

  it('is described as the role, and computed from the rows that it sees', async () => {
    const engine = await opened();
    expect(engine.reports).toEqual([]);
    const query_attributes = ['loud', 'seen'];
    for (const tenant of [1, 2]) {
      const body = { query_model: 'orders', query_attributes, page };
      const { result, page: found } = await engine.query(body, tenantGrant(tenant));
      const record = { loud: `OF T${tenant}`, seen: String(ROWS) };
      expect([JSON.parse(result), found.total]).toEqual([[record, record], String(ROWS)]);
    }
  });

  it('keeps a version of the row alone, and none of a selection', async () => {
    const engine = await opened();
    const versionOf = async (query_model: string, ...query_attributes: string[]) => {
      const body = { query_model, query_attributes, page };
      return (await engine.query(body, tenantGrant(1))).version;
    };
    expect(await versionOf('orders', 'loud')).toBe(await versionOf('orders', 'id'));
    expect(await versionOf('orders', 'seen')).toBeUndefined();
    expect(await versionOf('all_orders', 'note')).toBeUndefined();
  });

  it('selects only what the policies show', async () => {
    const engine = await opened();
    const filter = { attribute: 'tenant', op: 'ne', value: 't3' };
    const body = { query_model: 'all_orders', query_attributes: ['id'], page };
    const { page: all } = await engine.query(body, tenantGrant(3));
    const { result } = await engine.query({ ...body, query_filter: filter }, tenantGrant(3));
    expect([all.total, result]).toEqual([String(ROWS), '[]']);
  });
});
