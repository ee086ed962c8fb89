import { until } from '@proj/test-servers';

import { Grant } from '../../../../engine/src/catalogue/grant.ts';
import { CheckedReading, type ListQuestion } from './checked-reading.ts';
import { type Followed, useFollowed } from './followed.ts';

/** So many tenants have rows. */
export const TENANTS = 4;

const COLUMNS = 'id int primary key, tenant text not null, open boolean not null, amount int';

/**
 * Tables of which a role is shown the rows of a tenant, by policies of several kinds. The login has
 * no rights of its own.
 */
const SQL = `
  create role login login noinherit;
  create role tenant nologin;
  create role manager nologin;
  grant tenant to login;
  create table orders (${COLUMNS});
  create table parts (${COLUMNS}) partition by range (id);
  create table part_1 partition of parts for values from (0) to (20000);
  create table part_2 partition of parts for values from (20000) to (1000000);
  create table claimed (${COLUMNS});
  create table shared (${COLUMNS});
  ${Array.from({ length: 6 }, (_, n) => `create table managed${n} (${COLUMNS});`).join('\n')}
  create table counted (id numeric primary key, tenant text not null, open boolean not null);
  create table everybody (${COLUMNS});
  create table members (member text primary key, tenant text not null);
  create function add(target text, numbers int[], salt int) returns void language plpgsql as $$
    begin
      execute format('insert into %I select n, ''t'' || (n / 10 + $2) %% ${TENANTS},
        (n + $2) %% 3 = 0, (n * 31 + $2) %% 50 from unnest($1) n on conflict do nothing', target)
        using numbers, salt;
    end $$;
  create function policy_of(target text, rule text) returns void language plpgsql as $$
    begin
      execute format('alter table %I enable row level security', target);
      execute format('create policy own on %I for select to tenant using (%s)', target, rule);
      perform add(target, array(select n * 10 from generate_series(1, 4000) n), 0);
    end $$;
  insert into counted select n, 't' || n % ${TENANTS}, n % 3 = 0 from generate_series(1, 2000) n;
  alter table counted enable row level security;
  create policy own on counted for select to tenant
    using (tenant = current_setting('app.tenant', true));
  insert into members select 'm' || n, 't' || n from generate_series(0, ${TENANTS - 1}) n;
  select policy_of('orders', $$tenant = current_setting('app.tenant', true)$$);
  select policy_of('parts', $$tenant = (select current_setting('app.tenant', true))$$);
  select policy_of('claimed', $$tenant = current_setting('app.claims', true)::json ->> 'tenant'$$);
  select policy_of('shared', $$tenant in (
    select m.tenant from members m where m.member = current_setting('app.member', true))$$);
  select policy_of('managed' || n, $$tenant = current_setting('app.tenant', true)$$)
    from generate_series(0, 5) n;
  create policy everything on managed2 to manager using (true);
  select add('everybody', array(select n * 10 from generate_series(1, 4000) n), 0);
  grant select on all tables in schema public to tenant;
  create publication dynamic_query for table
    orders, parts, claimed, shared, counted, everybody, members,
    managed0, managed1, managed2, managed3, managed4, managed5`;

export const SESSIONS = [
  { role: 'tenant', settings: ['app.tenant', 'app.claims', 'app.member'], trusts: [] },
];

/** A caller of a tenant. */
export function callerOf(tenant: number, member = `m${tenant}`): Grant {
  const settings = {
    'app.tenant': `t${tenant}`,
    'app.claims': JSON.stringify({ tenant: `t${tenant}` }),
    'app.member': member,
  };
  return new Grant('all', { role: 'tenant', settings, trusts: [] });
}

export type List = Omit<ListQuestion, 'size' | 'offset'>;

/** Reads lists of callers, and writes what they list. */
export class Callers {
  readonly reading: CheckedReading;
  readonly #followed: Followed;

  constructor(followed: Followed, reading: CheckedReading) {
    this.#followed = followed;
    this.reading = reading;
  }

  async write(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#followed.sql.query(statement);
  }

  async total(list: List, caller?: string): Promise<bigint> {
    return (await this.reading.read({ ...list, offset: 0, size: 10 }, caller)).total;
  }

  async count(rows: string): Promise<bigint> {
    const found = await this.#followed.sql.query<{ n: string }>(
      `select count(*) as n from ${rows}`,
    );
    return BigInt(found.rows[0]?.n ?? -1);
  }

  /** Whether a list has a total that is followed; it was asked for twice by then. */
  isFollowed({ model, grant, filter }: List): boolean {
    return this.reading.isFollowed({ model, grant, filter });
  }

  async follow(list: List): Promise<void> {
    await until(async () => {
      await this.total(list);
      return this.isFollowed(list);
    });
  }

  /** How many rows a list has by the followed total, and by a count in the same snapshot. */
  async both(list: List): Promise<readonly (bigint | undefined)[]> {
    let totals: Awaited<ReturnType<CheckedReading['totals']>>;
    await until(async () => {
      totals = await this.reading.totals(list);
      if (totals?.known === undefined) await this.total(list);
      return totals?.known !== undefined;
    });
    return [totals?.known, totals?.counted];
  }
}

/** Starts a server with the tables, and follows it. */
export function useCallers(): {
  readonly followed: () => Followed;
  readonly start: () => Promise<Callers>;
} {
  const followed = useFollowed(SQL, 'login');
  const start = async (): Promise<Callers> => {
    return new Callers(followed(), await CheckedReading.over(followed().source, SESSIONS));
  };
  return { followed, start };
}
