import { eachNth, until } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { open } from '../../open.ts';
import { callerOf, SESSIONS, useCallers } from './caller-lists.ts';

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

describe('the list of a caller of the database', () => {
  const { followed, start } = useCallers();

  it('is that of all callers with the same settings, as far as policies ask for them', async () => {
    const callers = await start();
    await callers.follow({ model: 'orders', grant: callerOf(0) });
    const others = [callerOf(0, 'someone else'), callerOf(1)];
    const shared = others.map((grant) => callers.isFollowed({ model: 'orders', grant }));
    expect(shared).toEqual([true, false]);
  });

  it('is counted as a hit of their own for the caller whose request had it counted', async () => {
    const callers = await start();
    const list = { model: 'parts', grant: callerOf(1) };
    await callers.follow(list);
    for (const caller of [undefined, 'another']) await callers.total(list, caller);
    const uses = callers.reading.sessions.find(({ mechanism }) => mechanism === 'followed_total');
    expect(uses).toMatchObject({ role: 'tenant', hitsOfOthers: 1 });
    expect(uses?.hitsOfOwn).toBeGreaterThan(0);
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

  it('is followed for fifty callers at once, and not for the one who asked longest ago', async () => {
    const callers = await start();
    const tenants = Array.from({ length: 51 }, (_, index) => index + 100);
    const lists = tenants.map((tenant) => ({ model: 'orders', grant: callerOf(tenant) }));
    for (const list of lists) await callers.follow(list);
    const isFollowed = lists.map((list) => callers.isFollowed(list));
    expect(isFollowed).toEqual(tenants.map((tenant) => tenant > 100));
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

  it.each(eachNth(2, CHANGES))(
    'is not what it was after: $change',
    async ({ model, change, undo, shown }) => {
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
    },
  );

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
});
