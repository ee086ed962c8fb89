import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';

import {
  type BackgroundWork,
  type Engine,
  ENGINE_CHANNELS,
  EVERYTHING,
  type MechanismUse,
  type PlannedQuery,
  type TracedStatement,
} from '@proj/engine';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { FixtureDatabase } from './fixtures/fixture.ts';
import { fixturesOf } from './fixtures/index.ts';
import { open } from './open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const SYSTEMS: Readonly<Record<string, string>> = {
  SQLite: 'sqlite',
  PostgreSQL: 'postgresql',
  MariaDB: 'mariadb',
  MySQL: 'mysql',
  DuckDB: 'duckdb',
};

const ROWS = Array.from({ length: 3000 }, (_, index) => `(${index}, 'canary ${index}')`);

function query(page: number, value = 'canary 7', size = 5): unknown {
  return {
    query_model: 'cities',
    query_attributes: ['id', 'name'],
    query_filter: { attribute: 'name', op: 'ne', value },
    page: { page, size },
  };
}

/** Whoever asks, as those who follow the engine tell callers apart. */
const caller = new AsyncLocalStorage<string>();

/** What the engine publishes until the test ends, each with its caller. */
function follow() {
  const plans: PlannedQuery[] = [];
  const statements: (TracedStatement & { readonly caller: string | undefined })[] = [];
  const hits: string[] = [];
  const listeners: [string, (message: unknown) => void][] = [
    [ENGINE_CHANNELS.plan, (plan) => void plans.push(plan as PlannedQuery)],
    [
      ENGINE_CHANNELS.statement,
      (message) => {
        statements.push({ ...(message as TracedStatement), caller: caller.getStore() });
      },
    ],
    [
      ENGINE_CHANNELS.mechanism,
      (message) => {
        const { mechanism, hit } = message as MechanismUse;
        if (hit) hits.push(mechanism);
      },
    ],
  ];
  for (const [name, listener] of listeners) subscribe(name, listener);
  onTestFinished(() => {
    for (const [name, listener] of listeners) unsubscribe(name, listener);
  });
  return { plans, statements, hits };
}

describe.each(FIXTURES)('what the engine publishes of its work on $name', (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await database.execute([
      'create table cities (id integer not null primary key, name varchar(40) not null)',
      `insert into cities values ${ROWS.join(', ')}`,
    ]);
    engine = await open(database.url, {
      acceleration: { pageIndexMinOffset: 100, replyCache: false },
    });
  });

  it('is a plan and the statements of each page, with their relation and without any value', async () => {
    const { plans, statements } = follow();
    const before = performance.now();
    await caller.run('a', () => engine.query(query(2), EVERYTHING));
    await caller.run('b', () => engine.query(query(400), EVERYTHING));
    expect(plans.map(({ model }) => model)).toEqual(['cities', 'cities']);
    const reading = statements.filter(({ relations }) => relations !== undefined);
    expect(new Set(reading.map((statement) => statement.caller))).toEqual(new Set(['a', 'b']));
    for (const {
      database: { system },
      relations,
      error,
      text,
      ...times
    } of reading) {
      expect({ system, table: relations?.[0]?.at(-1), error }).toEqual({
        system: SYSTEMS[fixture.name],
        table: 'cities',
        error: undefined,
      });
      expect(text).toMatch(/cities/);
      expect(times.startedAt).toBeGreaterThanOrEqual(before);
      expect(times.endedAt).toBeGreaterThanOrEqual(times.startedAt);
      expect(performance.now()).toBeGreaterThanOrEqual(times.endedAt);
    }
    expect(JSON.stringify(statements)).not.toContain('canary');
  });

  it('has the statements of a shared read in the context of the first who waited for it', async () => {
    const { statements, hits } = follow();
    const askers = ['first', 'second', 'third'];
    await Promise.all(
      askers.map((asker) => caller.run(asker, () => engine.query(query(3), EVERYTHING))),
    );
    const readers = statements.filter(({ relations }) => relations !== undefined);
    expect(new Set(readers.map((each) => each.caller))).toEqual(new Set(['first', 'second']));
    expect(hits.filter((hit) => hit === 'single_flight')).toHaveLength(2);
  });

  it('has page indexes as work of their own, outside of the context of any caller', async () => {
    const { statements } = follow();
    const { start, asyncEnd } = tracingChannel(ENGINE_CHANNELS.background);
    const ended: unknown[] = [];
    const onEnd = (work: unknown): void => void ended.push(work);
    start.bindStore(caller, (work) => (work as BackgroundWork).kind);
    asyncEnd.subscribe(onEnd);
    onTestFinished(() => {
      start.unbindStore(caller);
      asyncEnd.unsubscribe(onEnd);
    });
    await expect
      .poll(async () => {
        for (const page of [200, 300, 400, 500])
          await caller.run('asker', () => engine.query(query(page), EVERYTHING));
        return ended;
      })
      // The server may write by itself meanwhile, so that an index may be outdated when it is done.
      .toContainEqual(
        expect.objectContaining({
          kind: 'page_index',
          result: expect.objectContaining({ outcome: 'built' }),
        }),
      );
    const building = statements.filter((statement) => statement.caller === 'page_index');
    expect(building.length).toBeGreaterThan(0);
  });

  it('names the error of a statement that fails, and not its message', async () => {
    await engine.query(query(1), EVERYTHING);
    await database.execute(['drop table cities']);
    const { statements } = follow();
    await expect(engine.query(query(1, 'canary 8'), EVERYTHING)).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    const failed = statements.filter(({ error }) => error !== undefined);
    expect(failed.map(({ error }) => error)).toContainEqual(expect.stringMatching(/^\w+$/));
    expect(JSON.stringify(statements)).not.toContain('canary');
  });
});
