import { DatabaseSync } from 'node:sqlite';

import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import type { AuditEntry, AuditLog } from '../src/audit/audit-log.ts';
import { QUERY_PATH, type Service, startService, TOKEN } from './helper.ts';
import { openShop, SHOP_ROLES } from './owasp/shop.ts';

const SALES = `
  create table shops (id integer primary key, name text not null);
  insert into shops values (1, 'north'), (2, 'south');
  create table sales (
    id integer primary key, shop_id integer references shops (id), pieces integer not null
  );
  insert into sales values (1, 1, 5), (2, 1, 7), (3, 2, 11), (4, null, 13);`;

const GROUPS = {
  query_model: 'sales',
  query_attributes: ['shop.name', 'n'],
  query_groups: ['shop.name'],
  query_aggregates: [{ name: 'n', op: 'sum', attribute: 'pieces' }],
  page: { page: 1, size: 10 },
};

/** Groups by QUERY, with the tag of a reply that the caller holds. */
async function query({ app }: Service, body: object, tag = ''): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'QUERY',
    url: QUERY_PATH,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'if-none-match': tag,
    },
    payload: JSON.stringify(body),
  });
}

describe('a list of groups', () => {
  it('has a tag by QUERY, and is 304 until a record behind one of its groups changes', async () => {
    const service = await startService({ sql: SALES });
    const first = await query(service, GROUPS);
    const tag = String(first.headers.etag);
    expect(first.body).toBe((await service.ask(GROUPS)).body);
    expect((await query(service, GROUPS, tag)).statusCode).toBe(304);
    const database = new DatabaseSync(service.file, { timeout: 10_000 });
    database.exec('update sales set pieces = pieces');
    expect((await query(service, GROUPS, tag)).statusCode).toBe(304);
    database.exec("update shops set name = 'east' where id = 1");
    database.close();
    const changed = await query(service, GROUPS, tag);
    expect(changed.json()).toMatchObject({ result: [{ 'shop.name': 'east', n: '12' }, {}, {}] });
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('counts its groups as records of the audit, which names all models that it is made of', async () => {
    const lines: Omit<AuditEntry, 'time'>[] = [];
    const auditLog: AuditLog = {
      write: (entry) => void lines.push(entry),
      failure: undefined,
      dropped: 0,
      close: async () => undefined,
    };
    const { ask } = await startService({ sql: SALES, parts: { auditLog } });
    await ask(GROUPS);
    expect(lines).toMatchObject([
      { model: 'sales', models: ['sales', 'shops'], attributes: ['shop.name', 'n'], rows: 3 },
    ]);
  });

  it('uses up the quota of records by its groups', async () => {
    const settings = `${SHOP_ROLES}\nrate_limits: { rows_per_day: 40 }`;
    const shop = await openShop({ settings });
    const groups = {
      query_attributes: ['customer', 'n'],
      query_groups: ['customer'],
      query_aggregates: [{ name: 'n', op: 'count' }],
      page: { page: 1, size: 100 },
    };
    const statuses = [];
    for (let asked = 0; asked < 3; asked++)
      statuses.push((await shop.ask('north-token', groups)).statusCode);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
