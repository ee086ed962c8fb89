import { describe, expect, it } from 'vitest';

import { readsBy } from '../../../test/reads-by.ts';
import { unversioned } from '../../sources/reads/snapshot.ts';
import { queryOf } from '../../../test/page-questions.ts';
import type { KeysRead, ReadCall, SortEstimate } from '../../sources/source.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import { IndexBuilder } from './index-builder.ts';

const NO_SORT: SortEstimate = { rows: 0, rowBytes: 100, memoryBytes: Infinity };

/** What a chunk of the first `rows` records brings, whose ids are their places. */
function chunkOf(rows: number, version = '1'): KeysRead {
  return {
    rows: rows === 0 ? [] : [[0, 0], ...(rows === 1 ? [] : [[rows - 1, rows - 1]])],
    version,
  };
}

/** A source that answers each statement of keys as the test says. */
function startBuilder({ timeoutMs = 60_000, sort = NO_SORT, memoryBytes = 64 * 2 ** 20 } = {}) {
  const asked: { statement: KeysStatement; call: ReadCall }[] = [];
  const answers: (KeysRead | Error)[] = [];
  const source = readsBy<'keys' | 'sort'>({
    sort: async ({ maySort }: KeysStatement) => unversioned(maySort ? NO_SORT : sort),
    keys: async (statement: KeysStatement, call: ReadCall) => {
      asked.push({ statement, call });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? waitFor(call.signal);
    },
  });
  const builder = new IndexBuilder(source, { indexBuildMs: timeoutMs, memoryBytes });
  const build = (total: bigint) => builder.build(queryOf(), { total, version: '1' });
  return { builder, build, asked, answers };
}

/** Rejects when the signal aborts. */
function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

describe('the keys of an index', () => {
  it.each([
    { total: 10n, mebibytes: 64, step: 100 },
    { total: 5_000_000n, mebibytes: 8, step: 100 },
    { total: 5_000_001n, mebibytes: 8, step: 101 },
    { total: 50_000_000n, mebibytes: 8, step: 1000 },
    { total: 10_000_000_000n, mebibytes: 1280, step: 9537 },
  ])('of $total records with $mebibytes MiB are every $step records', async (list) => {
    const { total, mebibytes, step } = list;
    const { build, asked, answers } = startBuilder({ memoryBytes: mebibytes * 2 ** 20 });
    answers.push(new Error('enough'));
    expect(await build(total)).toMatchObject({ index: { step } });
    expect(asked[0]?.statement.keys.sql).toBe(`every ${step}`);
  });

  it('are read at the version of the total, and come with how long that took', async () => {
    const { build, answers } = startBuilder();
    answers.push(chunkOf(3));
    const { buildMs, ...built } = { buildMs: NaN, ...(await build(3n)) };
    const index = { version: '1', step: 100, keys: [[0]] };
    expect(built).toEqual({ outcome: 'built', index });
    expect(buildMs).toBeGreaterThan(0);
  });

  it('are none where they are not as many as the total says', async () => {
    const { build, answers } = startBuilder();
    answers.push(chunkOf(2));
    expect(await build(3n)).toMatchObject({ outcome: 'failed' });
  });

  it('are none where the source fails', async () => {
    const { build, answers } = startBuilder();
    answers.push(new Error('broken'));
    expect(await build(1n)).toMatchObject({ outcome: 'failed' });
  });

  it('are none where the dialect has none', async () => {
    const known = { total: 1n, version: '1' };
    const { builder, asked } = startBuilder();
    const query = Object.assign(queryOf(), { keyRanges: () => [] });
    expect(await builder.build(query, known)).toMatchObject({ outcome: 'refused' });
    expect(asked).toEqual([]);
  });

  it('are read until the time limit', async () => {
    const { build, asked } = startBuilder({ timeoutMs: 20 });
    expect(await build(1n)).toMatchObject({ outcome: 'failed' });
    expect(asked[0]?.call.signal.aborted).toBe(true);
  });
});

describe('an index builder', () => {
  it('is busy until the keys are read', async () => {
    const { builder, build, answers } = startBuilder();
    expect(builder.isBusy).toBe(false);
    answers.push(chunkOf(1));
    const building = build(1n);
    expect(builder.isBusy).toBe(true);
    await building;
    expect(builder.isBusy).toBe(false);
  });

  it('shows the keys that are read before all of them are', async () => {
    const { builder, build, answers } = startBuilder();
    expect(builder.growing).toBeUndefined();
    answers.push({
      rows: [
        [7, 0],
        [8, 100],
        [9, 999],
      ],
      version: '1',
    });
    const building = build(2000n);
    await expect
      .poll(() => builder.growing)
      .toEqual({
        list: queryOf().orderKey,
        index: { version: '1', step: 100, keys: [[7], [8]] },
      });
    await builder.close();
    await building;
    expect(builder.growing).toBeUndefined();
  });

  it('stops what it reads when it is closed, and has stopped it then', async () => {
    const { builder, build, asked } = startBuilder();
    const building = build(1n);
    await expect.poll(() => asked.length).toBe(1);
    await builder.close();
    expect(asked[0]?.call.signal.reason).toMatchObject({ code: 'cancelled' });
    expect(await building).toMatchObject({ outcome: 'failed' });
  });

  it('counts what it began, how that ended and how long it took', async () => {
    const sort = { ...NO_SORT, rows: Infinity, memoryBytes: 50 };
    const refusing = startBuilder({ sort });
    await refusing.build(1n);
    expect(refusing.builder.builds).toMatchObject({ begun: 1, ended: { refused: 1 } });
    const { builder, build, answers } = startBuilder();
    answers.push(chunkOf(1), chunkOf(1, '2'), new Error('broken'));
    for (let times = 0; times < 3; times++) await build(1n);
    const { milliseconds, ...builds } = builder.builds;
    expect(builds).toEqual({
      begun: 3,
      ended: { built: 1, outdated: 1, refused: 0, failed: 1 },
    });
    expect(milliseconds).toBeGreaterThan(0);
  });
});

describe('the turn to build', () => {
  it('is had before anything is read, and ended after it', async () => {
    const { build, events } = startInTurns(true);
    expect(await build()).toMatchObject({ outcome: 'failed' });
    expect(events).toEqual(['taken', 'read', 'ended']);
  });

  it('of another process leaves the list without an index, and counts no build', async () => {
    const { build, builder, events } = startInTurns(false);
    expect(await build()).toBeUndefined();
    expect(events).toEqual(['taken']);
    expect(builder.isBusy).toBe(false);
    expect(builder.builds.begun).toBe(0);
  });
});

/** A builder that asks whether it may build, and notes what happens in order. */
function startInTurns(granted: boolean) {
  const events: string[] = [];
  const source = readsBy<'keys' | 'sort'>({
    sort: async () => unversioned(NO_SORT),
    keys: async () => {
      events.push('read');
      throw new Error('enough');
    },
  });
  const takeBuildTurn = async (): Promise<(() => void) | undefined> => {
    events.push('taken');
    return granted ? () => void events.push('ended') : undefined;
  };
  const limits = { indexBuildMs: 60_000, memoryBytes: 2 ** 26, takeBuildTurn };
  const builder = new IndexBuilder(source, limits);
  const build = () => builder.build(queryOf(), { total: 10n, version: '1' });
  return { build, builder, events };
}
