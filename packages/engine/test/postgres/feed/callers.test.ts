import { beforeRelease, until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { Grant } from '../../../src/catalogue/grant.ts';
import { open } from '../../open.ts';
import { describePostgres } from '../server.ts';
import { CheckedReading, type ListQuestion } from './checked-reading.ts';
import { type Followed, useFollowed } from './followed.ts';
import { writeWith } from './turns.ts';

const TENANTS = 4;

const COLUMNS = 'id int primary key, tenant text not null, open boolean not null, amount int';

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
      execute format('insert into %I select n, ''t'' || (n + $2) %% ${TENANTS},
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

const SESSIONS = [
  { role: 'tenant', settings: ['app.tenant', 'app.claims', 'app.member'], trusts: [] },
];

/** A caller of a tenant. */
function callerOf(tenant: number, member = `m${tenant}`): Grant {
  const settings = {
    'app.tenant': `t${tenant}`,
    'app.claims': JSON.stringify({ tenant: `t${tenant}` }),
    'app.member': member,
  };
  return new Grant('all', { role: 'tenant', settings, trusts: [] });
}

type List = Omit<ListQuestion, 'size' | 'offset'>;

const OPEN = { attribute: 'open', op: 'eq', value: true };

/** Reads lists of callers, and writes what they list. */
class Callers {
  readonly reading: CheckedReading;
  readonly #followed: Followed;

  constructor(followed: Followed, reading: CheckedReading) {
    this.#followed = followed;
    this.reading = reading;
  }

  async write(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#followed.sql.query(statement);
  }

  async total(list: List): Promise<bigint> {
    return (await this.reading.read({ ...list, offset: 0, size: 10 })).total;
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

const OWN = `tenant = current_setting('app.tenant', true)`;

/** What changes which rows of a table the first tenant is shown, and which these are then. */
const CHANGES = [
  {
    model: 'managed0',
    change: `alter policy own on managed0 using (${OWN} and open)`,
    shown: `tenant = 't0' and open`,
  },
  {
    model: 'managed1',
    change: 'create policy more on managed1 for select to tenant using (open)',
    shown: `tenant = 't0' or open`,
  },
  {
    model: 'managed2',
    change: 'grant manager to tenant',
    undo: 'revoke manager from tenant',
    shown: 'true',
  },
  {
    model: 'managed3',
    change: 'alter role tenant bypassrls',
    undo: 'alter role tenant nobypassrls',
    shown: 'true',
  },
  {
    model: 'managed4',
    change: 'alter table managed4 disable row level security',
    shown: 'true',
  },
];

/** How many replies are compared while others write. */
const CHECKS = Number(process.env['TRUTH_REPLIES'] ?? (beforeRelease ? 200 : 60));

/** What writers do to a table, by a number of their own. */
const TRANSACTIONS: readonly ((table: string, n: number) => string | readonly string[])[] = [
  (table, n) => `select add('${table}', array[${n}], ${n % 13})`,
  (table, n) => `delete from ${table} where id between ${n} and ${n + 30}`,
  (table, n) => `select add('${table}', array(select generate_series(${n}, ${n + 30})), ${n % 13})`,
  (table, n) => `update ${table} set open = not open where id between ${n} and ${n + 60}`,
  (table, n) => `update ${table} set tenant = 't' || (${n} + id) % ${TENANTS}
    where id between ${n} and ${n + 60}`,
  (table, n) =>
    `update ${table} set id = id + 3 where id between ${n} and ${n + 50} and id % 10 = 0`,
  (table, n) =>
    `begin; update ${table} set tenant = 't0' where id between ${n} and ${n + 50}; rollback`,
];

describePostgres('the list of a caller of the database', () => {
  const followed = useFollowed(SQL, true, {}, 'login');

  async function start(): Promise<Callers> {
    const reading = await CheckedReading.over(followed().source, SESSIONS);
    onTestFinished(() => reading.close());
    return new Callers(followed(), reading);
  }

  it('is that of all callers with the same settings, as far as policies ask for them', async () => {
    const callers = await start();
    await callers.follow({ model: 'orders', grant: callerOf(0) });
    const others = [callerOf(0, 'someone else'), callerOf(1)];
    const shared = others.map((grant) => callers.isFollowed({ model: 'orders', grant }));
    expect(shared).toEqual([true, false]);
  });

  it('is found by the settings of its own caller', async () => {
    const callers = await start();
    await callers.write(`delete from orders where tenant = 't3' and id > 100`);
    for (const tenant of [2, 3]) {
      const list = { model: 'orders', grant: callerOf(tenant) };
      await callers.follow(list);
      const counted = await callers.count(`orders where tenant = 't${tenant}'`);
      expect(await callers.both(list)).toEqual([counted, counted]);
    }
  });

  it('is what the report on following is about, where there are such callers', async () => {
    const { server } = followed();
    const unfollowedOf = async (sessions: typeof SESSIONS): Promise<string[]> => {
      const engine = await open(server.url, { sessions, follow: true });
      const problems = (await engine.followReport())?.unfollowed.map(({ problem }) => problem);
      return (problems ?? []).filter((problem) => /^public\.(orders|shared)\b/.test(problem));
    };
    const shared = expect.stringMatching(/^public\.shared: .+ has row-level security/);
    expect(await unfollowedOf(SESSIONS)).toEqual([shared]);
    expect(await unfollowedOf([])).toEqual([expect.stringMatching(/^public\.orders: /), shared]);
  });

  it.each([
    { why: 'a policy reads another table', model: 'shared', first: 1000 },
    { why: 'policies are asked before rows are sought by key', model: 'counted', first: 5000 },
  ])('is not followed where $why', async ({ model, first }) => {
    const callers = await start();
    // All that leads to following a list begins earlier for this one.
    for (const value of [first, first + 1000, first + 2000]) {
      const filter = { attribute: 'id', op: 'lt', value };
      const other = { model: 'everybody', grant: callerOf(0), filter };
      await until(async () => {
        await callers.total({ model, grant: callerOf(0) });
        await callers.total(other);
        return callers.isFollowed(other);
      });
    }
    expect(callers.isFollowed({ model, grant: callerOf(0) })).toBe(false);
  });

  it.each(CHANGES)('is not what it was after: $change', async ({ model, change, undo, shown }) => {
    const callers = await start();
    const list = { model, grant: callerOf(0) };
    await callers.follow(list);
    if (undo !== undefined) onTestFinished(() => callers.write(undo));
    await callers.write(change);
    const counted = await callers.count(`${model} where ${shown}`);
    const { known = counted } = (await callers.reading.totals(list)) ?? {};
    expect([known, await callers.total(list)]).toEqual([counted, counted]);
    await callers.write(`update ${model} set amount = 1 where id < 1000`);
    expect(await callers.total(list)).toBe(counted);
  });

  it('is followed again by other policies once the schema was read', async () => {
    const before = await start();
    const list = { model: 'managed5', grant: callerOf(0) };
    await before.follow(list);
    await before.write(`alter policy own on managed5 using (${OWN} and open)`);
    const after = await start();
    await after.follow(list);
    const counted = await after.count(`managed5 where tenant = 't0' and open`);
    expect(await after.both(list)).toEqual([counted, counted]);
  });

  it.each(['orders', 'parts', 'claimed', 'everybody'])(
    'has the exact total of what the caller is shown while others write to %s',
    async (model) => {
      const all = await start();
      const { reading } = all;
      const lists = Array.from({ length: TENANTS }, (_, tenant) => {
        const grant = callerOf(tenant);
        return [
          { model, grant },
          { model, grant, filter: OPEN },
        ];
      }).flat();
      for (const list of lists) await all.follow(list);
      const stop = writeWith(followed().server.url, 3, (turn) => {
        const n = (turn * 7919) % 40_000;
        return TRANSACTIONS[turn % TRANSACTIONS.length]?.(model, n) ?? '';
      });
      const [before, hits] = [reading.checks, reading.hits('followed_total')];
      for (let turn = 0; reading.checks < before + CHECKS; turn++) {
        const list = lists[turn % lists.length] ?? { model };
        const offset = turn % 3 === 0 ? 0 : 200 + Math.floor(Math.random() * 500);
        await reading.read({ ...list, offset, size: 1 + (turn % 40) });
      }
      expect(await stop()).toBeGreaterThan(CHECKS / 4);
      expect(reading.mistakes).toEqual([]);
      expect(reading.hits('followed_total')).toBeGreaterThan(hits + CHECKS / 2);
    },
  );
});
