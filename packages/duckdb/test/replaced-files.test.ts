import { copyFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { type Engine, EVERYTHING, type QueryFailedError } from '@proj/engine';
import { expect, it } from 'vitest';

import { execute, newFolder, open } from './opened.ts';

const STATES = [1, 2, 3, 4];
const ROWS = 6000;
const REPLIES = 45;

/** Files of two states of the same size, of which each row says which. */
async function filesOf(folder: string, ending: 'parquet' | 'csv'): Promise<void> {
  const statements = STATES.flatMap((state) =>
    ['a', 'b'].map(
      (part) => `copy (
        select '${part}' || (100000 + i) as id, ${state} as state from range(${ROWS + 500 * state}) t(i)
      ) to '${folder}/${part}.${state}.kept.${ending}'`,
    ),
  );
  await execute(statements);
}

const tableOf = (state: number): string =>
  `create table t as select i as id, ${state} as state from range(${ROWS}) r(i)`;

interface Reading {
  readonly answered: number;
  readonly mixed: number;
  readonly codes: ReadonlySet<string>;
}

/** A page, groups, a facet and an export each say the states that they saw, and their totals. */
async function readOften(engine: Engine, over: () => boolean): Promise<Reading> {
  let [answered, mixed] = [0, 0];
  const codes = new Set<string>();
  const note = (states: readonly unknown[], rows: unknown): void => {
    answered += 1;
    const [state] = states;
    const isWhole = rows === undefined || Number(rows) === 2 * (ROWS + 500 * Number(state));
    if (new Set(states).size !== 1 || !isWhole) mixed += 1;
  };
  const group = {
    query_attributes: ['state', 'n'],
    query_groups: ['state'],
    query_aggregates: [{ name: 'n', op: 'count' }],
  };
  const asks = [
    async () => {
      const sort = [{ attribute: 'id', direction: 'desc' }];
      const body = {
        query_attributes: ['id', 'state'],
        query_sort: sort,
        page: { page: 9, size: 50 },
      };
      const { result, page } = await engine.query({ query_model: 't', ...body }, EVERYTHING);
      const records = JSON.parse(result) as { state: number }[];
      note(
        records.map(({ state }) => state),
        page.total,
      );
    },
    async () => {
      const body = { query_model: 't', ...group, page: { page: 1, size: 9 } };
      const { result } = await engine.query(body, EVERYTHING);
      const [first, ...others] = JSON.parse(result) as { state: number; n: string }[];
      note([first?.state, ...others.map(({ state }) => state)], first?.n);
    },
    async () => {
      let [text, total] = ['', ''];
      const sink = {
        begin: async (beginning: { readonly total: bigint }) => {
          total = String(beginning.total);
        },
        write: async (lines: { readonly text: string }) => {
          text += lines.text;
        },
      };
      await engine.export({ query_model: 't', query_attributes: ['state'] }, EVERYTHING, { sink });
      const states = text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { state: number }).state);
      note(states, total);
    },
  ];
  const isEnough = (): boolean => over() && answered >= REPLIES;
  while (!isEnough()) {
    for (const ask of asks) {
      try {
        await ask();
      } catch (error) {
        codes.add((error as QueryFailedError).code);
      }
    }
    await setImmediate();
  }
  return { answered, mixed, codes };
}

it.each(['parquet', 'csv'] as const)(
  'replies over %s files that are replaced, rewritten and cut under them are of one state',
  { timeout: 120_000 },
  async (ending) => {
    const folder = newFolder();
    await filesOf(folder, ending);
    const place = (state: number): void => {
      for (const part of ['a', 'b']) {
        const target = join(folder, `${part}.served.${ending}`);
        copyFileSync(join(folder, `${part}.${state}.kept.${ending}`), `${target}.new`);
        renameSync(`${target}.new`, target);
      }
    };
    place(1);
    const engine = await open({
      duckdb: { files: { t: { files: join(folder, `*.served.${ending}`) } } },
      models: { t: { key: ['id'] } },
    });
    let isOver = false;
    const reading = readOften(engine, () => isOver);
    for (let round = 0; round < 40; round++) {
      const state = STATES[round % STATES.length] ?? 1;
      if (round % 10 === 9) {
        // In place, and cut off on the way.
        const kept = readFileSync(join(folder, `a.${state}.kept.${ending}`));
        const served = join(folder, `a.served.${ending}`);
        truncateSync(served, 1000);
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        writeFileSync(served, kept);
      }
      place(state);
      for (let turn = 0; turn < 60; turn++) await setImmediate();
    }
    isOver = true;
    const { answered, mixed, codes } = await reading;
    expect(answered).toBeGreaterThanOrEqual(REPLIES);
    expect(mixed).toBe(0);
    expect([...codes].filter((code) => code !== 'database_unavailable')).toEqual([]);
  },
);

it('a database file that is replaced under its readers is seen from the next query on', async () => {
  const folder = newFolder();
  const [path, next] = [join(folder, 'lake.duckdb'), join(folder, 'next.duckdb')];
  await execute([tableOf(1)], path);
  await execute([tableOf(2)], next);
  const engine = await open({ database: `duckdb:${path}`, models: { t: { key: ['id'] } } });
  const stateOf = async (): Promise<unknown> => {
    const body = { query_model: 't', query_attributes: ['state'], page: { page: 1, size: 1 } };
    return (JSON.parse((await engine.query(body, EVERYTHING)).result) as { state: number }[])[0]
      ?.state;
  };
  expect(await stateOf()).toBe(1);
  renameSync(next, path);
  expect(await stateOf()).toBe(2);
});

it('a database file has another version with each write that is still in the log beside it', async () => {
  const path = join(newFolder(), 'lake.duckdb');
  await execute([tableOf(1)], path);
  const seen = async (): Promise<readonly unknown[]> => {
    const engine = await open({ database: `duckdb:${path}`, models: { t: { key: ['id'] } } });
    const { version, page } = await engine.query(
      { query_model: 't', query_attributes: ['id'], page: { page: 1, size: 1 } },
      EVERYTHING,
    );
    await engine.close();
    return [page.total, version];
  };
  const states = [await seen()];
  for (const id of [1, 2]) {
    await execute(
      ['pragma disable_checkpoint_on_shutdown', `insert into t values (${ROWS + id}, 1)`],
      path,
    );
    states.push(await seen());
  }
  expect(states.map(([total]) => total)).toEqual([0, 1, 2].map((more) => String(ROWS + more)));
  expect(new Set(states.map(([, version]) => version)).size).toBe(states.length);
  expect(await seen()).toEqual(states.at(-1));
});
