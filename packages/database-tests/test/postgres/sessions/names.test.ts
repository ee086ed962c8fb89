import { type Engine, EVERYTHING, Grant, type SessionRole } from '@proj/engine';
import { beforeEach, expect, it } from 'vitest';

import { ask, open } from '../../open.ts';
import { describeWithPoolers } from '../pgbouncer.ts';
import { urlOf, usePostgres } from '../server.ts';

/** PostgreSQL has NULL for a setting that was never made, and an empty text for one that was. */
const SQL = `
create role login login noinherit;
create role tenant nologin;
create role clerk nologin;
grant tenant, clerk to login;
create table unset (id int primary key);
insert into unset values (1);
alter table unset enable row level security;
create policy unset on unset using (current_setting('app.clerk', true) is null);
create table empty (id int primary key);
insert into empty values (1);
alter table empty enable row level security;
create policy empty on empty using (current_setting('app.clerk', true) = '');
create table later (id int primary key);
insert into later values (1);
alter table later enable row level security;
create policy later on later using (current_setting('app.later', true) = '');
grant select on unset, empty, later to tenant, clerk, login;`;

const TENANT = { role: 'tenant', settings: ['app.tenant'], trusts: [] };
const CLERK = { role: 'clerk', settings: ['app.clerk'], trusts: [] };
const LATER = { role: 'clerk', settings: ['app.clerk', 'app.later'], trusts: [] };

const ofTenant = new Grant('all', { ...TENANT, settings: { 'app.tenant': 't' } });
const ofClerk = new Grant('all', { ...CLERK, settings: { 'app.clerk': 'c' } });
const ofLater = new Grant('all', { ...LATER, settings: { 'app.clerk': 'c', 'app.later': 'l' } });

const nothingKept = { acceleration: { replyCache: false, totalCache: false } };

const postgres = usePostgres(SQL);

function describeNames(url: () => Promise<string>): void {
  let engine: Engine;
  beforeEach(async () => {
    // Few connections, which all callers use in turn.
    const settings = { sessions: [TENANT, CLERK], processes: 12, ...nothingKept };
    engine = await open(await url(), settings);
  });

  const shown = async (models: readonly string[], grant: Grant): Promise<string[]> => {
    const totals = models.map(async (model) => {
      return (await ask(engine, { model, attributes: ['id'] }, grant)).page.total;
    });
    return Promise.all(totals);
  };

  it.each([
    { reader: 'a caller of another role', grant: ofTenant },
    { reader: 'the service', grant: EVERYTHING },
  ])('has an empty text for $reader, before and after callers have given it', async ({ grant }) => {
    for (let round = 0; round < 3; round++) {
      expect(await shown(['unset', 'empty'], grant)).toEqual(['0', '1']);
      expect(await shown(['unset', 'empty'], ofClerk)).toEqual(['0', '0']);
    }
  });

  it('that comes with other settings has an empty text from then on', async () => {
    await shown(['unset', 'empty'], EVERYTHING);
    const sessions: SessionRole[] = [TENANT, LATER];
    const exposed = { expose: 'all', models: {}, maxPageSize: 10, sessions } as const;
    (await engine.prepare(exposed)).apply();
    for (let round = 0; round < 3; round++) {
      expect(await shown(['later'], EVERYTHING)).toEqual(['1']);
      expect(await shown(['later'], ofTenant)).toEqual(['1']);
      expect(await shown(['later'], ofLater)).toEqual(['0']);
    }
  });
}

const server = (): string => urlOf(postgres(), 'login');
const modes = ['session', 'transaction'] as const;
describeWithPoolers('a setting of callers', { server, modes }, describeNames);
