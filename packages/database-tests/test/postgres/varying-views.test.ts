import { type Engine, EVERYTHING } from '@proj/engine';
import type { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { connect, urlOf, usePostgres } from './server.ts';

/** What a function takes while it waits for the lock of the test, and that lock. */
const [ARRIVED, GATE] = [1, 2];

/** Functions that read, or decide about, the numbers, and wait in the middle of it. */
const SQL = `
  create table numbers (id int primary key, n int not null);
  create function wait_at_gate() returns void language plpgsql set lock_timeout = 0 as $$
  begin
    perform pg_advisory_lock_shared(${ARRIVED});
    perform pg_advisory_lock_shared(${GATE});
    perform pg_advisory_unlock_shared(${GATE});
    perform pg_advisory_unlock_shared(${ARRIVED});
  end $$;
  create function read_slowly() returns setof numbers language plpgsql as $$
  begin
    return query select * from numbers;
    perform wait_at_gate();
  end $$;
  create function is_there(asked int) returns boolean language plpgsql as $$
  begin
    if asked = 300 then perform wait_at_gate(); end if;
    return exists (select from numbers where id = asked);
  end $$;
  create view listed as select * from read_slowly();
  create view above as select id, n + 0 as n from listed;
  create view allowed as select id, id % 7 as n from generate_series(1, 1000) as id where is_there(id);
  create view chances as select id, id % 7 as n from generate_series(1, 1000) as id where random() < 0.5;
  create table guarded as select id, id % 7 as n from generate_series(1, 1000) as id;
  alter table guarded add primary key (id), enable row level security;
  create policy those on guarded using (is_there(id));
  create role reader login; grant select on all tables in schema public to reader;
  create table partial (id int primary key, n int not null, secret text);
  insert into partial select id, id % 7 from generate_series(1, 4000) as id;
  create table below as select * from partial;
  alter table partial enable row level security;
  create policy those on partial using (is_there((id + 3) / 4));
  create view seen as select id, n from below where is_there((id + 3) / 4);
  create role owner; alter view seen owner to owner;
  grant select (id, n) on below to owner; grant select (id, n) on partial to reader;
  grant select on numbers to owner; grant select on seen to reader;`;

/** Before and after it the numbers are as many. */
const REFILL = `
  truncate numbers;
  insert into numbers select id, id % 7 from generate_series(1, 400) as id`;
const REPLACE = `
  delete from numbers where id <= 200;
  insert into numbers select id, id % 7 from generate_series(401, 800) as id`;

/** A full page, which says nothing of the total. */
const FIRST = { page: 1, size: 350 };

/** The reader may read these and lock neither; each number has four records. */
const UNLOCKABLE = ['partial', 'seen'];

/**
 * What one evaluation of these finds, whose functions see what was committed when they are called:
 * the numbers before 300 as they were, the others as they are then.
 */
const FOUND = 4 * (299 + 501);

/** These have functions that wait. */
const WAITING = ['listed', 'allowed', 'guarded'];

const OWN_FILTER = { attribute: 'id', op: 'gt', value: 0 };
const OWN_VALUES = { attribute: 'n', values: 7, query_filter: OWN_FILTER };
const BINS = { attribute: 'id', bins: 4 };

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('a reply of a relation of PostgreSQL that calls a VOLATILE function', () => {
  const database = usePostgres(SQL);
  let engine: Engine;
  let gate: Client;
  beforeAll(async () => {
    const names = ['listed', 'above', 'allowed', 'chances', 'seen'];
    const models = Object.fromEntries(names.map((name) => [name, { key: ['id'] }]));
    const limits = { maxPageSize: 4000, queryTimeoutMs: 60_000 };
    engine = await open(urlOf(database(), 'reader'), { models, ...limits });
  });
  beforeEach(async () => {
    gate = await connect(database().url);
    await gate.query(`${REFILL}; select pg_advisory_lock(${GATE})`);
  });

  afterEach(() => gate.end());

  /** Does work whose first function waits until others have replaced half of the numbers. */
  const whileReplaced = async <Read>(read: () => Promise<Read>): Promise<Read> => {
    const reading = read();
    const arrived = `select from pg_locks where locktype = 'advisory' and objid = ${ARRIVED}`;
    const count = async (): Promise<number> => (await gate.query(arrived)).rows.length;
    await expect.poll(count, { interval: 10 }).toBeGreaterThan(0);
    await gate.query(REPLACE);
    await gate.query(`select pg_advisory_unlock(${GATE})`);
    return reading;
  };

  const read = async (model: string, page: object, query_total?: unknown) => {
    const body = { query_model: model, query_attributes: ['id', 'n'], query_total, page };
    const { result, page: metadata } = await engine.query(body, EVERYTHING);
    const records = JSON.parse(result) as { id: number }[];
    return { ids: records.map(({ id }) => id), metadata };
  };

  const USUAL = { asked: undefined, first: 1, metadata: { total: '400' } };

  /** What is asked of views, with the ids that are right and what else is. */
  const READS = [
    ['the total', ['listed', 'above', 'allowed', 'guarded'], { page: FIRST, last: 350 }],
    ['the bounded total', WAITING, { page: FIRST, asked: { up_to: 5000 }, last: 350 }],
    [
      'what says whether a page follows',
      ['allowed', 'guarded'],
      { page: { page: 1, size: 400 }, asked: 'none', last: 400, metadata: { has_next: false } },
    ],
    [
      'the place of the page of a record',
      WAITING,
      { page: { containing: { id: 250 }, size: 200 }, first: 201, last: 400 },
    ],
  ] as const;

  it.each(
    READS.flatMap(([what, models, asking]) =>
      models.map((model) => [what, model, asking] as const),
    ),
  )('has the records and %s of one state while others write: %s', async (_, model, asking) => {
    const { page, asked, first, last, metadata } = { ...USUAL, ...asking };
    const found = await whileReplaced(() => read(model, page, asked));
    expect(found.ids).toEqual(numbers(first, last));
    expect(found.metadata).toMatchObject(metadata);
  });

  it.each(WAITING)(
    'exports as many records as it promised while others write: %s',
    async (model) => {
      const { total, records } = await whileReplaced(() => exported(engine, { model }));
      expect([total, records.at(-1)]).toEqual([400n, { id: 400 }]);
    },
  );

  const countsOf = async (query_model: string, ...facets: object[]) => {
    const query_facets = [{ attribute: 'n', values: 7 }, ...facets];
    const { json } = await engine.facets({ query_model, query_facets }, EVERYTHING);
    const reply = JSON.parse(json) as {
      facets: { values?: { count: string }[]; bins?: { count: string }[] }[];
      total: string;
    };
    const counts = reply.facets.map(({ values = [], bins = values }) =>
      bins.reduce((sum, { count }) => sum + Number(count), 0),
    );
    return { total: Number(reply.total), counts };
  };

  it.each(
    WAITING.flatMap((model) => [
      [model, 'values', OWN_VALUES] as const,
      [model, 'bins', BINS] as const,
    ]),
  )('has facets of one state while others write: %s, %s', async (model, _kind, facet) => {
    const found = await whileReplaced(() => countsOf(model, facet));
    expect(found).toEqual({ total: 400, counts: [400, 400] });
  });

  it('is read without a lock where the role may not lock it', () => {
    const names = ['allowed', 'guarded', ...UNLOCKABLE];
    const isLocked = names.map((name) => engine.catalogue.get(name)?.varies?.inTransaction);
    expect(isLocked).toEqual([true, true, false, false]);
  });

  const PAGES = [
    ['the first page', { page: 1, size: 4000 }, numbers(1, FOUND)],
    ['a deep page', { page: 6, size: 300 }, numbers(1501, 1800)],
    ['the last page', { page: 11, size: 300 }, numbers(3001, FOUND)],
    ['a page beyond the last', { page: 12, size: 300 }, []],
    ['the page of a record', { containing: { id: 2505 }, size: 500 }, numbers(2501, 3000)],
  ] as const;

  it.each(UNLOCKABLE.flatMap((model) => PAGES.map((page) => [model, ...page] as const)))(
    'has the records and the total of one evaluation without a lock while others write: %s, %s',
    async (model, _page, page, expected) => {
      const { ids, metadata } = await whileReplaced(() => read(model, page));
      expect(ids).toEqual(expected);
      expect(metadata.total).toBe(String(FOUND));
    },
  );

  it.each(UNLOCKABLE)(
    'exports as many records as it promised without a lock while others write: %s',
    async (model) => {
      const { total, records } = await whileReplaced(() => exported(engine, { model }));
      expect([total, records.at(-1)]).toEqual([BigInt(FOUND), { id: FOUND }]);
    },
  );

  it.each(UNLOCKABLE)(
    'has values of one evaluation without a lock while others write: %s',
    async (model) => {
      const found = await whileReplaced(() => countsOf(model, OWN_VALUES));
      expect(found).toEqual({ total: FOUND, counts: [FOUND, FOUND] });
    },
  );

  it.each(UNLOCKABLE)(
    'has bins of one state without a lock while others write: %s',
    async (model) => {
      const found = await whileReplaced(() => countsOf(model, BINS));
      expect(found).toEqual({ total: 4 * 400, counts: [4 * 400, 4 * 400] });
    },
  );

  it('has as many records as its total says when chance decides about them', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { ids, metadata } = await read('chances', { page: 2, size: 250 });
      expect(ids).toHaveLength(Math.max(0, Math.min(250, Number(metadata.total) - 250)));
    }
  });

  it('has facets of the same records when chance decides about them', async () => {
    const { total, counts } = await countsOf('chances', OWN_VALUES);
    expect(counts).toEqual([total, total]);
  });
});
