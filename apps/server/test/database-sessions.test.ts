import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { cityQuery, listen, send, until } from './helper.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';
import { watchList } from './watched.ts';

const SQL = `
  create role app login noinherit;
  create role tenant nologin;
  create role stranger nologin;
  grant tenant, stranger to app;
  create table orders (id int primary key, tenant text not null);
  insert into orders values (1, 'north'), (2, 'south'), (3, 'south');
  alter table orders enable row level security;
  create policy own on orders for select to tenant using (tenant = current_setting('app.tenant'));
  grant select on orders to tenant, stranger`;

const TOKENS = [
  ['north', 'tenant', '{ tenant: north, other: south }'],
  ['south', 'tenant', '{ tenant: south }'],
  ['nobody', 'tenant', '{}'],
  ['odd', 'tenant', '{ tenant: "no\\0rth" }'],
  ['strange', 'stranger', '{}'],
] as const;

const settingsOf = (database: string, claim: string, audit: string): string => `
database: ${database}
expose: all
audit: ${audit}
limits: { watch_check_ms: 100 }
roles:
  tenant:
    models: all
    database_session: { role: tenant, settings: { app.tenant: $claims.${claim} } }
  stranger:
    models: all
    database_session: { role: stranger }
tokens:
${TOKENS.map(([name, role, claims]) => `  - { name: ${name}, role: ${role}, sha256: ${sha256(name)}, claims: ${claims} }`).join('\n')}
`;

describe('callers whose role has a database session', () => {
  let server: TestDatabase;
  let database = '';
  beforeAll(async () => {
    server = await newPostgresDatabase();
    await server.client(SQL);
    database = server.url.replace('postgres@', 'app@');
  });

  it('see what the policies show, or are refused, also after their claims got another meaning', async () => {
    const config = settingsFile('');
    const audit = join(dirname(config), 'audit.jsonl');
    writeFileSync(config, settingsOf(database, 'tenant', audit));
    const { app, lines, reload } = await serviceHere({ flags: { config } });
    const ask = async (token: string): Promise<unknown> => {
      const body = { ...cityQuery(1, 5, ['id']), query_model: 'orders' };
      const reply = await send(app, body, { token });
      const { result, code } = reply.json<{ result?: unknown; code?: string }>();
      return result ?? [reply.statusCode, code];
    };
    expect(await ask('north')).toEqual([{ id: 1 }]);
    expect(await ask('nobody')).toEqual([403, 'claim_missing']);
    expect(await ask('odd')).toEqual([403, 'claim_missing']);
    await server.client('revoke stranger from app');
    expect(await ask('strange')).toEqual([403, 'session_refused']);
    expect(JSON.stringify(lines)).toContain('permission denied to set role');
    await until(() => readFileSync(audit, 'utf8').includes('\n'));
    const [line = ''] = readFileSync(audit, 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({
      session: { role: 'tenant', settings: ['app.tenant'] },
    });
    await server.client('grant stranger to app');
    writeFileSync(config, settingsOf(database, 'other', audit));
    expect(await reload('settings')).toBe(true);
    expect(await ask('north')).toEqual([{ id: 2 }, { id: 3 }]);
  });

  it('watch lists of their own, which change with the policy', async () => {
    const config = settingsFile('');
    writeFileSync(config, settingsOf(database, 'tenant', join(dirname(config), 'audit.jsonl')));
    const { app } = await serviceHere({ flags: { config } });
    const port = await listen(app);
    const list = { query_model: 'orders', query_attributes: ['id'] };
    const north = await watchList(port, list, { token: 'north' });
    const south = await watchList(port, list, { token: 'south' });
    await expect.poll(() => [north.totals(), south.totals()]).toEqual([['1'], ['2']]);
    const seen: [string[], string[]] = [['1'], ['2']];
    for (let time = 0; time < 4; time += 1) {
      await server.client(`insert into orders values (${4 + 2 * time}, 'south')`);
      seen[1].push(String(3 + time));
      await expect.poll(south.totals).toEqual(seen[1]);
      await server.client(`insert into orders values (${5 + 2 * time}, 'north')`);
      seen[0].push(String(2 + time));
      await expect.poll(north.totals).toEqual(seen[0]);
    }
    // Nobody had an event of the other's changes.
    expect([north.totals(), south.totals()]).toEqual(seen);
    expect(south.events.every(({ data }) => data.version === undefined)).toBe(true);
    await server.client('alter policy own on orders using (false)');
    await expect.poll(() => [north.totals().at(-1), south.totals().at(-1)]).toEqual(['0', '0']);
    await server.client('revoke tenant from app');
    await north.ended;
    expect(north.events.at(-1)).toMatchObject({
      event: 'problem',
      data: { code: 'session_refused' },
    });
  });
});
