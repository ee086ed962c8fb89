import { type Engine, EVERYTHING, type Grant, type WatchedState } from '@proj/engine';
import { expect, onTestFinished } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { open } from '../open.ts';

export const BODY = {
  query_model: 'things',
  query_attributes: ['id', 'kind'],
  watch_every_ms: 100,
};

interface Watching {
  readonly body?: unknown;
  readonly grant?: Grant;
}

interface Watched {
  readonly states: WatchedState[];
  readonly totals: () => (string | null)[];
  /** Rejects with what ends the watch. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Watches a list; its states are in the array as they come. */
export async function watch(
  engine: Engine,
  { body = BODY, grant = EVERYTHING }: Watching = {},
): Promise<Watched> {
  const controller = new AbortController();
  const { signal } = controller;
  const call = { signal, caller: 'someone', seesVersion: grant === EVERYTHING };
  const watched = await engine.watch(body, grant, call);
  const states: WatchedState[] = [];
  const ended = watched.follow((state) => states.push(state) > 0);
  const over = ended.catch(() => undefined);
  onTestFinished(async () => {
    controller.abort();
    await over;
  });
  await expect.poll(() => states.length).toBeGreaterThan(0);
  return {
    states,
    totals: () => states.map(({ list }) => list.total),
    ended,
    stop: () => controller.abort(),
  };
}

export function openOn({ url }: FixtureDatabase): Promise<Engine> {
  return open(url, {
    watchCheckMs: 10,
    watchReadMs: 100,
    models: { lately: { key: ['id'] } },
  });
}

/** What a table has at the beginning of each test. */
export function statementsOf({ columnTypes: { int64, int32 } }: Fixture): string[] {
  return [
    `create table if not exists things (id ${int64} primary key, kind ${int32} not null)`,
    'delete from things',
    `insert into things values (1, 1), (2, 1), (3, 2)`,
    `create table if not exists others (id ${int64} primary key)`,
  ];
}
