import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { ask, bodyOf, open } from '../../open.ts';
import { describeWithPoolers } from '../pgbouncer.ts';
import { urlOf, usePostgres } from '../server.ts';
import { ROWS, TENANT_SESSIONS, tenantGrant, TENANTS, TENANTS_SQL } from './tenants.ts';

/** Who asks in turn: one after another, and one again. */
const CALLERS = [1, 2, 1];

/** The request for the page of a record. */
function pageOf(id: number): unknown {
  const body = Object(bodyOf({ model: 'orders', attributes: ['id'] }));
  return { ...body, page: { containing: { id }, size: 10 } };
}

const postgres = usePostgres(TENANTS_SQL);

/** What of each tenant is shown, whatever is asked. */
function describeReads(url: () => Promise<string>): void {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(await url(), TENANT_SESSIONS);
  });

  it.each(['orders', 'shared'])(
    'sees the rows of %s that policies show, and their total',
    async (model) => {
      for (const tenant of CALLERS) {
        for (const page of [1, 5]) {
          const question = { model, attributes: ['tenant'], page };
          const reply = await ask(engine, question, tenantGrant(tenant));
          expect(new Set(reply.records.map((record) => record['tenant']))).toEqual(
            new Set([`t${tenant}`]),
          );
          expect(reply.page.total).toBe(String(ROWS));
        }
      }
    },
  );

  it.each([{ query_total: 'none' }, { query_total: { up_to: 20 } }])(
    'sees its rows where the total is %j',
    async (total) => {
      const body = { ...Object(bodyOf({ model: 'orders', attributes: ['tenant'] })), ...total };
      for (const tenant of CALLERS) {
        const { result } = await engine.query(body, tenantGrant(tenant));
        expect(JSON.parse(result)).toEqual(
          Array.from({ length: 10 }, () => ({ tenant: `t${tenant}` })),
        );
      }
    },
  );

  it('finds the page of a record of its own, and not that of another tenant', async () => {
    const { result, page: found } = await engine.query(pageOf(17 * TENANTS + 3), tenantGrant(3));
    expect(JSON.parse(result)).toContainEqual({ id: 17 * TENANTS + 3 });
    expect(found.page).toBe('2');
    await expect(engine.query(pageOf(17 * TENANTS + 3), tenantGrant(4))).rejects.toMatchObject({
      errors: [{ code: 'record_not_in_list' }],
    });
  });

  it('counts and sums up its own rows in facets, bins and groups', async () => {
    const facets = {
      query_model: 'orders',
      query_facets: [
        { attribute: 'tenant', values: 10 },
        { attribute: 'id', bins: 2 },
      ],
    };
    const groups = {
      ...Object(bodyOf({ model: 'orders', attributes: ['tenant', 'rows'] })),
      query_groups: [{ attribute: 'tenant' }],
      query_aggregates: [{ name: 'rows', op: 'count' }],
    };
    for (const tenant of CALLERS) {
      const { json } = await engine.facets(facets, tenantGrant(tenant));
      const found = (JSON.parse(json) as { facets: unknown }).facets;
      expect(found).toMatchObject([{ values: [{ value: `t${tenant}`, count: String(ROWS) }] }, {}]);
      const { result } = await engine.query(groups, tenantGrant(tenant));
      expect(JSON.parse(result)).toEqual([{ tenant: `t${tenant}`, rows: String(ROWS) }]);
    }
  });

  it('exports its own rows', async () => {
    for (const tenant of CALLERS) {
      const question = { model: 'orders', attributes: ['tenant'] };
      const { records } = await exported(engine, question, { grant: tenantGrant(tenant) });
      expect(records).toEqual(Array.from({ length: ROWS }, () => ({ tenant: `t${tenant}` })));
    }
  });

  it('sees all rows of a table without policies, of which the version is known', async () => {
    for (const tenant of CALLERS) {
      const body = bodyOf({ model: 'open', attributes: ['id'] });
      const { page, version } = await engine.query(body, tenantGrant(tenant));
      expect([page.total, version]).toEqual(['20', expect.any(String)]);
    }
  });

  it('has a version of the rows that policies show', async () => {
    for (const model of ['orders', 'shared']) {
      const { version } = await engine.query(bodyOf({ model, attributes: ['id'] }), tenantGrant(1));
      expect(version).toEqual(expect.any(String));
    }
  });

  it('is refused where its role may not read the model, or cannot be had', async () => {
    for (const role of ['postgres', 'nobody', 'pauper']) {
      const grant = new Grant('all', { role, settings: {}, trusts: [] });
      const asked = ask(engine, { model: 'open', attributes: ['id'] }, grant);
      await expect(asked).rejects.toMatchObject({ code: 'session_refused' });
    }
  });

  it('sees nothing where the database does not know who asks', async () => {
    const question = { model: 'orders', attributes: ['id'] };
    await expect(ask(engine, question, EVERYTHING)).rejects.toMatchObject({
      code: 'model_unreadable',
    });
  });
}

const modes = eachNth(2, ['session', 'transaction'] as const);
const server = (): string => urlOf(postgres(), 'login');
describeWithPoolers(
  'a caller whose database session has a role and settings',
  { server, modes },
  describeReads,
);
