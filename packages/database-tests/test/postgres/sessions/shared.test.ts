import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeEach, describe, expect, it } from 'vitest';

import { bodyOf, open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';
import { TENANT_SESSIONS, tenantGrant, TENANTS_SQL } from './tenants.ts';

describe('callers who read as a role of the database', () => {
  const postgres = usePostgres(TENANTS_SQL);
  let engine: Engine;
  beforeEach(async () => {
    engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
  });

  const ask = async (caller: string, tenant: number, page = 1): Promise<void> => {
    const body = bodyOf({ model: 'orders', attributes: ['id'], page });
    await engine.query(body, tenantGrant(tenant), { caller });
  };
  const uses = (): unknown => {
    const found = engine.sharedSessions().uses.map(({ mechanism, ...use }) => [mechanism, use]);
    return Object.fromEntries(found as [string, unknown][]);
  };

  it('have kept replies and totals of others counted only where these have the same values', async () => {
    await ask('ada', 1);
    await ask('ada', 1);
    await ask('bob', 1);
    await ask('eve', 2);
    await ask('bob', 1, 2);
    const role = 'tenant';
    expect(uses()).toEqual({
      reply_cache: { role, hitsOfOwn: 1, hitsOfOthers: 1, misses: 0 },
      total_cache: { role, hitsOfOwn: 0, hitsOfOthers: 1, misses: 2 },
    });
    expect(engine.sharedSessions().kept).toEqual([{ role, values: 2 }]);
  });

  it('have what is kept for them counted as long as it is kept', async () => {
    const small = { ...TENANT_SESSIONS, acceleration: { memoryBytes: 4000 } };
    engine = await open(urlOf(postgres(), 'login'), small);
    for (let tenant = 0; tenant < 8; tenant++) await ask('ada', tenant);
    const [kept] = engine.sharedSessions().kept;
    expect(kept?.values).toBeGreaterThan(0);
    expect(kept?.values).toBeLessThan(8);
  });

  it('have nothing counted where the service itself reads', async () => {
    const plain = await open(postgres().url, TENANT_SESSIONS);
    const body = bodyOf({ model: 'open', attributes: ['id'] });
    for (const caller of ['ada', 'bob']) await plain.query(body, EVERYTHING, { caller });
    expect(plain.sharedSessions()).toEqual({ kept: [{ role: 'tenant', values: 0 }], uses: [] });
  });
});
