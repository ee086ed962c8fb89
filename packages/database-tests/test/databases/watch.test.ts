import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { eachNth, until } from '@proj/test-servers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { followStatements } from '../followed-statements.ts';
import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { bodyOf } from './everywhere.ts';
import { BODY, openOn, statementsOf, watch } from './watched.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** The records whose kind is 1. */
const OF_KIND_1 = new Grant(
  new Map([
    [
      'things',
      { attributes: 'all' as const, rowPolicy: { attribute: 'kind', op: 'eq', value: 1 } },
    ],
  ]),
);

/** It has no version: what it shows depends on the clock too. */
const LATELY =
  "create view lately as select id, kind from things where current_timestamp > '2001-02-03'";

// What is read and when is decided in the engine: half of the databases on every commit.
describe.each(eachNth(2, FIXTURES))('a list that is watched on $name', (fixture) => {
  /** Servers have versions of a whole server, which its own housekeeping may move. */
  const isAlone = fixture.name === 'SQLite';

  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await database.execute([...statementsOf(fixture), LATELY]);
    engine = await openOn(database);
  });

  beforeEach(async () => {
    await database.execute(statementsOf(fixture));
    // SQLite has no version of data that has just been written, and a state of its own without one.
    const body = bodyOf({ model: 'things' });
    await until(async () => (await engine.query(body, EVERYTHING)).version !== undefined);
  });

  it('has a state at once, and another one whenever its records are others', async () => {
    const { totals, states } = await watch(engine);
    expect(totals()[0]).toBe('3');
    await database.execute(['insert into things values (4, 2)']);
    await expect.poll(() => totals().at(-1)).toBe('4');
    const { length } = states;
    await database.execute(['update things set kind = 5 where id = 4']);
    await expect.poll(() => states.length).toBeGreaterThan(length);
    expect(isAlone ? totals() : ['3', '4', '4']).toEqual(['3', '4', '4']);
    expect(new Set(states.map(({ id }) => id)).size).toBe(states.length);
    const versions = new Set(states.map(({ list }) => list.version));
    expect(isAlone ? versions.size : 3).toBe(3);
  });

  it('has the total as far as it is asked for', async () => {
    const { states } = await watch(engine, { body: { ...BODY, query_total: { up_to: 2 } } });
    await database.execute(['delete from things where id > 1']);
    const seen = () => states.map(({ list: { total, total_at_least: least } }) => [total, least]);
    await expect.poll(() => seen().at(-1)).toEqual(['1', undefined]);
    const first = [null, '3'];
    expect(seen().slice(0, isAlone ? -1 : 1)).toEqual([first]);
  });

  it('says nothing of records that its caller does not see', async () => {
    const earlier = engine.watched().reads;
    const { totals, states } = await watch(engine, { grant: OF_KIND_1 });
    const readAfter = async (statement: string): Promise<void> => {
      const { reads } = engine.watched();
      await database.execute([statement]);
      await expect.poll(() => engine.watched().reads).toBeGreaterThan(reads);
    };
    await expect.poll(() => engine.watched().reads).toBeGreaterThan(earlier);
    await readAfter('insert into things values (4, 2)');
    await readAfter('update things set kind = 3 where id = 3');
    expect(totals()).toEqual(['2']);
    await database.execute(['update things set id = 9 where id = 2']);
    await expect.poll(totals).toEqual(['2', '2']);
    expect(states.every(({ list }) => list.version === undefined)).toBe(true);
  });

  it('is read for all who watch it with equal grants, and once a change', async () => {
    const earlier = engine.watched().reads;
    const many = await Promise.all(Array.from({ length: 50 }, () => watch(engine)));
    const other = await watch(engine, { grant: OF_KIND_1 });
    expect(engine.watched().lists).toBe(2);
    await expect.poll(() => engine.watched().reads).toBeGreaterThanOrEqual(earlier + 2);
    const before = engine.watched().reads;
    const statements = followStatements();
    await database.execute(['insert into things values (4, 1)']);
    for (const { totals } of many) {
      await expect.poll(() => totals().at(-1)).toBe('4');
      expect(isAlone ? totals() : ['3', '4']).toEqual(['3', '4']);
    }
    await expect.poll(other.totals).toEqual(['2', '3']);
    const reads = engine.watched().reads - before;
    // A read under way may find the change, and one of data just written is repeated.
    const isShared = [reads < 10, statements.length < many.length];
    expect(isAlone ? isShared : [true, true]).toEqual([true, true]);
    for (const { stop } of [...many, other]) stop();
    await expect.poll(() => engine.watched().lists).toBe(0);
  });

  it('is read at an interval where it has no version, once for all who watch it', async () => {
    const body = { ...BODY, query_model: 'lately' };
    const watched = await Promise.all([1, 2, 3].map(() => watch(engine, { body })));
    expect(engine.watched().lists).toBe(1);
    const seenBy = async (total: string): Promise<void> => {
      for (const { totals } of watched) await expect.poll(() => totals().at(-1)).toBe(total);
    };
    await seenBy('3');
    await database.execute(['insert into things values (4, 2)']);
    await seenBy('4');
    await database.execute(['update things set kind = 5 where id = 1']);
    for (const { states } of watched) {
      await expect.poll(() => states.length).toBe(3);
      expect(states.map(({ list }) => list)).toEqual(
        ['3', '4', '4'].map((total) => ({ total, checked_every_ms: 100 })),
      );
    }
    const { reads } = engine.watched();
    await expect.poll(() => engine.watched().reads).toBeGreaterThan(reads + 2);
    expect(watched.map(({ states }) => states.length)).toEqual([3, 3, 3]);
  });

  it('has only totals that were true one after another while others write', async () => {
    const filter = { attribute: 'kind', op: 'eq', value: 1 };
    const { totals } = await watch(engine, { body: { ...BODY, query_filter: filter } });
    const truth = ['2'];
    for (let id = 10; id < 19; id++) {
      const isLeaving = id % 3 === 0;
      await database.execute([
        isLeaving
          ? `delete from things where id = ${id - 1}`
          : `insert into things values (${id}, 1)`,
      ]);
      truth.push(String(Number(truth.at(-1)) + (isLeaving ? -1 : 1)));
    }
    await expect.poll(() => totals().at(-1)).toBe(truth.at(-1));
    let place = -1;
    const seen = totals().map(
      (total) => (place = truth.indexOf(String(total), Math.max(place, 0))),
    );
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).not.toContain(-1);
  });

  it('ends when its table is dropped', async () => {
    const { ended } = await watch(engine);
    await database.execute(['drop view lately', 'drop table things']);
    await expect(ended).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});
