import { beforeAll, expect, it } from 'vitest';

import { type Engine, EVERYTHING } from '../../../src/index.ts';
import { ask, open } from '../../open.ts';
import { describePostgres, urlOf, usePostgres } from '../server.ts';
import { ROWS, TENANT_SESSIONS, tenantGrant, TENANTS_SQL } from './tenants.ts';

describePostgres('a caller whose database session has a role and settings', () => {
  const postgres = usePostgres({ sql: TENANTS_SQL });
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
  });

  it.each(['orders', 'shared'])(
    'sees the rows of %s that policies show, and their total',
    async (model) => {
      for (const tenant of [1, 2, 1]) {
        const { records, page } = await ask(
          engine,
          { model, attributes: ['tenant'] },
          tenantGrant(tenant),
        );
        expect(new Set(records.map((record) => record['tenant']))).toEqual(new Set([`t${tenant}`]));
        expect(page.total).toBe(String(ROWS));
      }
    },
  );

  it('sees all rows of a table without policies', async () => {
    const { page } = await ask(engine, { model: 'open', attributes: ['id'] }, tenantGrant(1));
    expect(page.total).toBe('20');
  });

  it('is told nothing where the database is not told who asks', async () => {
    await expect(
      ask(engine, { model: 'orders', attributes: ['id'] }, EVERYTHING),
    ).rejects.toMatchObject({
      code: 'model_unreadable',
    });
  });
});
