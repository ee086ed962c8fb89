import { type Engine, EVERYTHING, Grant, type WatchedState } from '@proj/engine';
import { until as untilTrue } from '@proj/test-servers';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { BaseReads } from '../../../../postgres/src/feed/lists/base-reads.ts';
import { FilteredLists } from '../../../../postgres/src/feed/lists/filtered-lists.ts';
import { changeMethod } from '../../changed-method.ts';
import { open } from '../../open.ts';
import { until, useFollowed } from './followed.ts';
import { settledWatches } from './settled-watches.ts';
import { startWriters } from './turns.ts';

/** Rows are of ten kinds, as many of each. */
const KINDS = 10;

const SQL = `
  create table items (id int primary key, kind int not null, note text, hidden int);
  insert into items select n, n % ${KINDS}, 'a', 0 from generate_series(1, 3000) n;
  create table altered (like items including all);
  insert into altered select * from items;
  create table moved (like items including all);
  insert into moved select * from items;
  create publication dynamic_query for table items, altered, moved`;

/** Sees the rows of kind 1, without one of their attributes. */
const OF_KIND_1 = new Grant(
  new Map([
    [
      'items',
      {
        attributes: new Set(['id', 'kind', 'note']),
        rowPolicy: { attribute: 'kind', op: 'eq', value: 1 },
      },
    ],
  ]),
);

interface Watched {
  readonly states: readonly WatchedState[];
  readonly totals: () => number[];
}

async function watch(
  engine: Engine,
  kind: number,
  { model = 'items', grant = EVERYTHING }: { model?: string; grant?: Grant } = {},
): Promise<Watched> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const body = {
    query_model: model,
    query_attributes: ['id', 'note'],
    query_filter: { attribute: 'kind', op: 'eq', value: kind },
    watch_every_ms: 100,
  };
  const call = { signal: leaving.signal, caller: 'a', seesVersion: grant === EVERYTHING };
  const watched = await engine.watch(body, grant, call);
  const states: WatchedState[] = [];
  watched.follow((state) => states.push(state) > 0).catch(() => undefined);
  return { states, totals: () => states.map(({ list }) => Number(list.total)) };
}

describe('watched lists of a table whose changes are followed', () => {
  const followed = useFollowed(SQL);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  let engine: Engine;
  beforeAll(async () => {
    engine = await open(followed().server.url, {
      follow: true,
      watchCheckMs: 100,
      acceleration: { leastCountMs: 0 },
    });
  });

  /** Watches the rows of each kind until all lists are followed: none is read for a change then. */
  async function watchAll(model = 'items'): Promise<Watched[]> {
    const kinds = Array.from({ length: KINDS }, (_, kind) => kind);
    const lists = await Promise.all(kinds.map((kind) => watch(engine, kind, { model })));
    const settled = settledWatches(engine.watched().lists);
    const ids = await until(async () => {
      const { reads } = engine.watched();
      await followed().sql.query(`update ${model} set kind = kind where id <= ${KINDS}`);
      const found = await settled();
      expect(engine.watched().reads).toBe(reads);
      return found;
    });
    await expect
      .poll(() => lists.every(({ states }) => ids.has(states.at(-1)?.id ?? '')))
      .toBe(true);
    return lists;
  }

  it('have events of their own, and are not read for them', async () => {
    const { sql } = followed();
    const lists = await watchAll();
    const { reads } = engine.watched();
    const before = lists.map(({ states }) => states.length);
    const events = (): number[] =>
      lists.map(({ states }, kind) => states.length - Number(before[kind]));
    await sql.query('insert into items values (10001, 4), (10002, 4)');
    await expect.poll(() => events()[4]).toBe(1);
    expect(lists[4]?.totals().slice(-2)).toEqual([300, 302]);
    await sql.query(`update items set note = 'b' where id = 15`);
    await expect.poll(() => events()[5]).toBe(1);
    expect(lists[5]?.totals().slice(-2)).toEqual([300, 300]);
    await sql.query('update items set kind = 7 where id = 10001');
    await expect.poll(events).toEqual([0, 0, 0, 0, 2, 1, 0, 1, 0, 0]);
    expect([lists[4]?.totals().at(-1), lists[7]?.totals().at(-1)]).toEqual([301, 301]);
    await sql.query('delete from items where id > 10000');
    await expect.poll(events).toEqual([0, 0, 0, 0, 3, 1, 0, 2, 0, 0]);
    expect(engine.watched().reads).toBe(reads);
    const versions = lists.flatMap(({ states }) => states.map(({ list }) => list.version));
    expect(versions).not.toContain(undefined);
  });

  it('are read for callers who see no versions, and only where their own rows have changed', async () => {
    const { sql } = followed();
    const { totals, states } = await watch(engine, 1, { grant: OF_KIND_1 });
    const settled = settledWatches(1);
    const readsAfter = async (statement: string): Promise<number> => {
      const { reads } = engine.watched();
      await sql.query(statement);
      await settled();
      return engine.watched().reads - reads;
    };
    const HIDE = 'update items set hidden = hidden + 1 where id < 40 and kind';
    await until(async () => expect(await readsAfter(`${HIDE} <> 1`)).toBe(0));
    expect(await readsAfter(`${HIDE} = 1`)).toBe(1);
    expect(totals()).toEqual([300]);
    await sql.query(`update items set note = 'seen' where id = 1`);
    await expect.poll(totals).toEqual([300, 300]);
    await sql.query('update items set kind = 2 where id = 1');
    await expect.poll(totals).toEqual([300, 300, 299]);
    await sql.query('update items set kind = 1 where id = 1');
    await expect.poll(() => totals().at(-1)).toBe(300);
    expect(states.every(({ list }) => list.version === undefined)).toBe(true);
  });

  it('have other totals after a change of the schema that changes no row by itself', async () => {
    const lists = await watchAll('altered');
    await followed().sql.query(
      'alter table altered alter kind type int using case kind when 3 then 4 else kind end',
    );
    await expect.poll(() => lists[4]?.totals().at(-1)).toBe(600);
    await expect.poll(() => lists[3]?.totals().at(-1)).toBe(0);
  });

  it('do not have the lists of other tables looked at, of which no row was changed', async () => {
    const [watched] = await watchAll();
    await watchAll('moved');
    const compared = vi.spyOn(BaseReads.prototype, 'compareNext');
    const before = watched?.states.length ?? 0;
    await followed().sql.query(`update items set note = 'c' where id = ${KINDS}`);
    await expect.poll(() => watched?.states.length).toBeGreaterThan(before);
    const tables = compared.mock.calls.map(([, , { relation }]) => relation.path[1]);
    expect(new Set(tables)).toEqual(new Set(['items']));
  });

  it('have totals of one snapshot while rows move between them', async () => {
    const sums = noteSums();
    const lists = await watchAll('moved');
    const writers = await startWriters(
      followed().server.url,
      3,
      (turn) => `update moved set kind = (kind + 1) % ${KINDS}, note = 'n' || kind
        where id between ${(turn * 31) % 3000} and ${((turn * 31) % 3000) + (turn % 40)}`,
    );
    sums.length = 0;
    await untilTrue(() => {
      writers.goOn();
      return sums.length > 10;
    });
    await writers.stop();
    expect(new Set(sums)).toEqual(new Set([3000n]));
    const { rows } = await followed().sql.query<{ total: number }>(
      'select count(*)::int total from moved group by kind order by kind',
    );
    await expect
      .poll(() => lists.map(({ totals }) => totals().at(-1)))
      .toEqual(rows.map(({ total }) => total));
  });
});

/** How many rows all lists together have in a snapshot, wherever all of them were asked for. */
function noteSums(): bigint[] {
  const sums: bigint[] = [];
  changeMethod(FilteredLists, 'states', async (states, ...asked) => {
    const found = await states(...asked);
    const totals = found?.lists.flatMap((list) => list?.total ?? []) ?? [];
    if (totals.length === KINDS) sums.push(totals.reduce((sum, total) => sum + total, 0n));
    return found;
  });
  return sums;
}
