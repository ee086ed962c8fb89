import { type Engine, Grant } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { ask, bodyOf, hitsOf, open } from '../../open.ts';
import { connect, untilLocked, urlOf, usePostgres } from '../server.ts';

const SQL = `
create role login login noinherit;
create role tenant nologin;
create role manager nologin;
grant tenant to login;
create table orders (id int primary key, tenant text not null, note text not null default 'old');
insert into orders select i, 't' || (i % 2) from generate_series(1, 40) as i;
create table memberships (member text primary key, tenant text not null);
insert into memberships values ('m0', 't0'), ('m1', 't1');
create table shared (id int primary key, tenant text not null);
insert into shared select id, tenant from orders;
create table called (id int primary key, tenant text not null);
insert into called select id, tenant from orders;
create table parted (id int primary key, tenant text not null) partition by range (id);
create table low partition of parted for values from (0) to (30);
create table high partition of parted for values from (30) to (100);
insert into parted select id, tenant from orders;
alter table parted enable row level security;
create policy own on parted to tenant using (tenant = current_setting('app.tenant', true));
create table managed (id int primary key);
insert into managed select i from generate_series(1, 9) as i;
create function own_tenant() returns text stable language sql as
  $$ select current_setting('app.tenant', true) $$;
create function waits() returns boolean stable language plpgsql as
  $$ begin perform pg_advisory_xact_lock_shared(7); return true; end $$;
create table waited (id int primary key);
insert into waited values (1), (2);
alter table orders enable row level security;
alter table shared enable row level security;
alter table called enable row level security;
alter table managed enable row level security;
alter table waited enable row level security;
create policy own on orders to tenant using (tenant = current_setting('app.tenant', true));
create policy own on shared to tenant using (tenant in (
  select tenant from memberships where member = current_setting('app.member', true)
));
create policy own on called to tenant using (tenant = own_tenant());
create policy everybody on managed to tenant using (id < 4);
create policy managers on managed to manager using (true);
create policy waits on waited to tenant using ((select waits()));
grant select on all tables in schema public to tenant;`;

const SETTINGS = ['app.member', 'app.tenant'];

const TRUSTS = ['own_tenant()', 'waits()'];

function grantOf(tenant: number): Grant {
  const settings = { 'app.member': `m${tenant}`, 'app.tenant': `t${tenant}` };
  return new Grant('all', { role: 'tenant', settings, trusts: TRUSTS });
}

function ownTenant(text: string): string {
  return `create or replace function own_tenant() returns text stable language sql as
    $$ select ${text} $$`;
}

/** What changes the rows that the first tenant is shown, and how many these are then. */
const CHANGES = [
  {
    model: 'orders',
    change: 'delete from orders where id = 2',
    undo: `insert into orders values (2, 't0')`,
    ids: 19,
  },
  {
    model: 'shared',
    change: `update memberships set tenant = 'none' where member = 'm0'`,
    undo: `update memberships set tenant = 't0' where member = 'm0'`,
    ids: 0,
  },
  {
    model: 'orders',
    change: 'alter policy own on orders using (true)',
    undo: `alter policy own on orders using (tenant = current_setting('app.tenant', true))`,
    ids: 40,
  },
  {
    model: 'orders',
    change: 'create policy more on orders to tenant using (id = 1)',
    undo: 'drop policy more on orders',
    ids: 21,
  },
  {
    model: 'called',
    change: ownTenant(`'none'`),
    undo: ownTenant(`current_setting('app.tenant', true)`),
    ids: 0,
  },
  {
    model: 'orders',
    change: 'alter table orders disable row level security',
    undo: 'alter table orders enable row level security',
    ids: 40,
  },
  {
    model: 'parted',
    change: 'alter table parted detach partition high',
    undo: 'alter table parted attach partition high for values from (30) to (100)',
    ids: 14,
  },
];

describe('what callers are shown by policies', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeEach(async () => {
    engine = await open(urlOf(postgres(), 'login'), {
      sessions: [{ role: 'tenant', settings: SETTINGS, trusts: TRUSTS }],
      // The schema is read again only when a test says so.
      schemaCheckMs: 600_000,
    });
  });
  afterEach(() => engine.close());

  const admin = (sql: string): Promise<unknown> => postgres().client(sql);
  const idsOf = async (model: string, tenant = 0): Promise<unknown[]> => {
    const question = { model, attributes: ['id'], size: 100 };
    const { records, page } = await ask(engine, question, grantOf(tenant));
    expect(page.total).toBe(String(records.length));
    return records.map(({ id }) => id);
  };
  const hits = (): number => hitsOf(engine, 'reply_cache');

  /** What reads of `waited` find while somebody commits. */
  const disturb = async <Found>(read: () => Promise<Found>): Promise<Found> => {
    const gate = await connect(postgres().url);
    await gate.query('select pg_advisory_lock(7)');
    const reading = read();
    await untilLocked(gate);
    await gate.query(`update orders set note = 'newer' where id = 1`);
    await gate.query('select pg_advisory_unlock(7)');
    return reading;
  };

  it('is kept for each of them, and never shown to another one', async () => {
    for (const model of ['orders', 'shared', 'called', 'parted']) {
      const even = await idsOf(model, 0);
      const odd = await idsOf(model, 1);
      expect([model, even.length, odd.length]).toEqual([model, 20, 20]);
      expect(even.filter((id) => odd.includes(id))).toEqual([]);
      const before = hits();
      expect(await idsOf(model, 0)).toEqual(even);
      expect(await idsOf(model, 1)).toEqual(odd);
      expect([model, hits()]).toEqual([model, before + 2]);
    }
  });

  it.each(eachNth(2, CHANGES))(
    'is read again after: $change',
    async ({ model, change, undo, ids }) => {
      for (let asked = 0; asked < 3; asked += 1) expect(await idsOf(model)).toHaveLength(20);
      await admin(change);
      for (let asked = 0; asked < 3; asked += 1) expect(await idsOf(model)).toHaveLength(ids);
      await admin(undo);
      expect(await idsOf(model)).toHaveLength(20);
    },
  );

  it('is by the policies of roles that theirs is a member of at the moment', async () => {
    // PostgreSQL keeps the plans of named statements when memberships change.
    for (let round = 0; round < 3; round += 1) {
      for (let asked = 0; asked < 4; asked += 1) expect(await idsOf('managed')).toHaveLength(3);
      await admin('grant manager to tenant');
      for (let asked = 0; asked < 4; asked += 1) expect(await idsOf('managed')).toHaveLength(9);
      await admin('revoke manager from tenant');
    }
    expect(await idsOf('managed')).toHaveLength(3);
  });

  it('has no version where something was committed while it was read', async () => {
    const question = bodyOf({ model: 'waited', attributes: ['id'] });
    const quiet = await engine.query(question, grantOf(0));
    expect(quiet.version).toEqual(expect.any(String));
    await admin(`update orders set note = 'new' where id = 1`);
    const disturbed = await disturb(() => engine.query(question, grantOf(0)));
    expect([disturbed.result, disturbed.version]).toEqual([quiet.result, undefined]);
  });

  it('is watched although something is committed while it is read', async () => {
    const leaving = new AbortController();
    const body = { query_model: 'waited', query_attributes: ['id'], watch_every_ms: 100 };
    const call = { signal: leaving.signal, caller: 'someone', seesVersion: true };
    const watched = await disturb(() => engine.watch(body, grantOf(0), call));
    const totals: (string | null)[] = [];
    const followed = watched.follow(({ list }) => totals.push(list.total) > 0);
    await expect.poll(() => totals.at(-1)).toBe('2');
    await admin('delete from waited where id = 2');
    await expect.poll(() => totals.at(-1)).toBe('1');
    leaving.abort();
    await followed;
    await admin('insert into waited values (2)');
  });

  it('has a version again when the schema was read after a change', async () => {
    await admin('alter policy own on orders using (tenant = current_setting($$app.tenant$$))');
    const question = bodyOf({ model: 'orders', attributes: ['id'] });
    expect((await engine.query(question, grantOf(0))).version).toBeUndefined();
    const settings = { sessions: [{ role: 'tenant', settings: SETTINGS, trusts: TRUSTS }] };
    const reloaded = await engine.prepare({
      ...settings,
      expose: 'all',
      models: {},
      maxPageSize: 1000,
    });
    reloaded.apply();
    expect((await engine.query(question, grantOf(0))).version).toEqual(expect.any(String));
  });

  it('has no version as a whole list, whose end nobody knows when it begins', async () => {
    const question = { model: 'orders', attributes: ['id'] };
    const list = await exported(engine, question, { grant: grantOf(1) });
    expect([list.records.length, list.version]).toEqual([20, undefined]);
  });
});
