import { beforeRelease, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import type { Source } from '../../../../engine/src/sources/source.ts';
import { Random } from '../../truth/random.ts';
import {
  countFollowed,
  type Counted,
  followedVersion,
  openFollowing,
  readAll,
  readFollowed,
  RELATION_VERSION,
  until,
  useFollowed,
} from './followed.ts';
import { startWriters } from './turns.ts';

const SQL = `
  create table one (id int primary key, note text);
  create table two (id int primary key, note text);
  create table parts (id int primary key, note text) partition by range (id);
  create table parts_low partition of parts for values from (minvalue) to (20);
  create table parts_high partition of parts for values from (20) to (maxvalue)
    partition by range (id);
  create table parts_highest partition of parts_high default;
  create table parent (id int primary key, note text);
  create table child (id int primary key, more int) inherits (parent);
  insert into one select n, 'old' from generate_series(1, 30) n;
  insert into two select n, 'old' from generate_series(1, 30) n;
  insert into parts select n, 'old' from generate_series(1, 30) n;
  insert into parent select n, 'old' from generate_series(1, 30) n;
  create publication dynamic_query for table one, two, parts, parent`;

const ONE = ['public', 'one'];
const RELATIONS = [ONE, ['public', 'two'], ['public', 'parts'], ['public', 'parent']];

/** Transactions of a kind that a version has to distinguish. */
const TRANSACTIONS: readonly ((table: string, id: number) => string)[] = [
  (table, id) => `insert into ${table} values (${id}, 'new') on conflict (id) do nothing`,
  (table, id) => `delete from ${table} where id = ${id}`,
  (table, id) => `update ${table} set note = note || 'x' where id % 7 = ${id % 7}`,
  (table, id) => `update ${table} set id = -id where id = ${id}`,
  (table, id) =>
    `begin; savepoint a; insert into ${table} values (${id}, 'back') on conflict do nothing;
     rollback to a; savepoint b; delete from ${table} where id = ${id + 1}; release b; commit`,
  (table, id) => `begin; delete from ${table} where id > ${id}; rollback`,
  (table, id) => `begin; savepoint a; update ${table} set note = 'sub' where id = ${id}; commit`,
];

const TABLES = ['one', 'two', 'parts', 'parts_highest', 'parent', 'child'] as const;

/** A version without what it begins with in one process alone. */
function shared({ versions }: Source, version: string): string {
  return versions?.shared?.(version) ?? '';
}

const TURNS = beforeRelease ? 150 : 20;

describe(`the version of a followed relation (seed ${SEED})`, () => {
  const followed = useFollowed(SQL);

  /** Follows beside the source that all tests share, as another process of the service does. */
  const openOther = (): Promise<Source> => openFollowing(followed().server.url);

  it('is the same in all processes, whenever they began, until the relation is written', async () => {
    const { source, sql } = followed();
    await readFollowed(source, ONE);
    await sql.query(`update one set note = 'new' where id = 1`);
    const processes = [source, await openOther(), await openOther()];
    await Promise.all(processes.map((process) => followedVersion(process, ONE)));
    const versions = () =>
      Promise.all(processes.map(async (one) => shared(one, await followedVersion(one, ONE))));
    const [before = '', ...others] = await versions();
    expect(others).toEqual([before, before]);
    await sql.query(`update two set note = 'new' where id = 2`);
    expect(await versions()).toEqual([before, before, before]);
    await sql.query(`update one set note = 'new' where id = 2`);
    const [after = '', ...same] = await versions();
    expect(after).not.toBe(before);
    expect(same).toEqual([after, after]);
  });

  it('comes with the total in the snapshot of a read, once a count was learned', async () => {
    const { source, sql } = followed();
    const count = (): Promise<Counted> =>
      until(async () => {
        const read = await countFollowed(source, ONE);
        expect(read?.version).toMatch(RELATION_VERSION);
        return read as Counted;
      });
    const { counted } = await count();
    await sql.query(`insert into one values (1001, 'new'), (1002, 'new'); truncate two`);
    expect(await count()).toMatchObject({ known: counted + 2n, counted: counted + 2n });
    expect((await count()).version).toBe(await followedVersion(source, ONE));
    await sql.query('truncate one');
    expect(await count()).toMatchObject({ known: undefined, counted: 0n });
    expect(await count()).toMatchObject({ known: 0n, counted: 0n });
  });

  it('is never that of other data in any process, whatever is written meanwhile', async () => {
    const { source, server } = followed();
    const processes = [source, await openOther()];
    const pairs = processes.flatMap((one) => RELATIONS.map((relation) => ({ one, relation })));
    await Promise.all(pairs.map(({ one, relation }) => readFollowed(one, relation)));
    const random = new Random(SEED);
    const writers = await startWriters(server.url, 6, (turn) => {
      const transaction = TRANSACTIONS[turn % TRANSACTIONS.length];
      return transaction?.(random.pick(TABLES), random.integer(0, 50)) ?? '';
    });
    const texts = new Map<string, string>();
    let [known, totals] = [0, 0];
    for (let turn = 0; turn < TURNS; turn++) {
      writers.goOn();
      const seen = await Promise.all(
        pairs.map(async ({ one, relation }) => ({ one, ...(await readAll(one, relation)) })),
      );
      for (const relation of RELATIONS) {
        const { known: total, counted } = (await countFollowed(source, relation)) ?? {};
        if (total !== undefined) totals += 1;
        expect(total ?? counted).toBe(counted);
      }
      for (const { one, text, version } of seen) {
        if (version === undefined || !RELATION_VERSION.test(version)) continue;
        known += 1;
        const name = shared(one, version);
        expect(texts.get(name) ?? text).toBe(text);
        texts.set(name, text);
      }
    }
    await writers.stop();
    for (const relation of RELATIONS) {
      const [mine, theirs] = await Promise.all(
        processes.map(async (one) => shared(one, await followedVersion(one, relation))),
      );
      expect(theirs).toBe(mine);
    }
    expect(known).toBeGreaterThan(TURNS / 2);
    expect(totals).toBeGreaterThan(TURNS / 2);
  });
});
