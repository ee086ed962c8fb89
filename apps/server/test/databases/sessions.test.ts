import { expect, it } from 'vitest';

import { sha256 } from '../../src/access/tokens.ts';
import { orderDatabases, ordersFile, serviceOf } from './service-of-several.ts';

const servers = orderDatabases();

const session = (settings: object) => ({ database_session: { role: 'reader', settings } });

it('roles of several databases read as roles of each, with settings of their own', async () => {
  const server = servers.postgres();
  const { url } = server;
  await server.client(`
    create role reader login;
    create table notes (id integer primary key, tenant text not null);
    insert into notes values (1, 'red'), (2, 'blue'), (3, 'blue');
    alter table notes enable row level security;
    create policy own on notes using (tenant = current_setting('app.colour', true));
    grant select on notes, orders to reader;`);
  const models = { notes: { attributes: 'all' }, orders: { attributes: 'all' } };
  const roles = {
    painter: { models: { 'a.notes': {} }, ...session({ 'app.colour': '$claims.colour' }) },
    counter: { models: { 'b.orders': {} }, ...session({ 'app.other': 'x' }) },
    local: { models: { 'c.orders': {} } },
  };
  const tokens = Object.keys(roles).map((role) => ({
    name: role,
    role,
    sha256: sha256(role),
    claims: { colour: 'blue' },
  }));
  const databases = {
    a: { url, models },
    b: { url, models },
    c: { url: ordersFile(4).url, expose: 'all' },
  };
  const { total } = await serviceOf({ databases, roles, tokens });
  expect(await total('a.notes', 'painter')).toBe('2');
  expect(await total('b.notes', 'painter')).toBe('unknown_model');
  expect(await total('b.orders', 'counter')).toBe('12');
  expect(await total('c.orders', 'local')).toBe('4');
  expect(await total('a.notes')).toBe('3');
});
