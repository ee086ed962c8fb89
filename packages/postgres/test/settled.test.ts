import { describe, expect, it } from 'vitest';

import { policingOf, policyFacts, type Policing } from '../src/introspection/policy-facts.ts';
import { connect, rowsOf, usePostgres } from './server.ts';

const SQL = `
create role tenant nologin;
create role clerk nologin;
create table orders (id int primary key);
alter table orders enable row level security;
create function grade() returns int stable language sql as $$ select 1 $$;
create policy graded on orders to tenant using (id = grade());`;

const SESSIONS = [{ role: 'tenant', settings: [], trusts: [] }];

/** What decides what a role reads, and how a transaction changes it. */
const CHANGES = [
  {
    of: 'functions',
    change: 'create or replace function grade() returns int stable language sql return 2',
  },
  { of: 'roles', change: 'grant clerk to tenant' },
] as const;

describe('what policies depend on', () => {
  const postgres = usePostgres(SQL);

  it.each(CHANGES)(
    'is not settled as long as a transaction that shows its change to $of has not ended',
    async ({ of, change }) => {
      const writer = await connect(postgres().url);
      const settled = async (): Promise<boolean[]> => {
        const [facts = []] = await rowsOf(writer, policyFacts(SESSIONS));
        const policing: Policing = policingOf(facts);
        return policing[of].map((one) => one.settled);
      };
      expect(await settled()).toEqual([true]);
      // What a transaction wrote, it sees itself before it has ended.
      await writer.query(`begin; ${change}`);
      expect(await settled()).toEqual([false]);
      await writer.query('commit');
      expect(await settled()).toEqual([true]);
    },
  );
});
