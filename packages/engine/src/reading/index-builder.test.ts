import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { queryOf } from '../../test/page-questions.ts';
import type { Checkpoints, ReadCall } from '../sources/source.ts';
import { IndexBuilder } from './index-builder.ts';

const KEYS: Checkpoints = { keys: [['a']], version: '1' };

/** A builder whose keys are read by hand. */
function startBuilder(timeoutMs = 60_000) {
  const builds: (PromiseWithResolvers<Checkpoints> & { sql: string; call: ReadCall })[] = [];
  const builder = new IndexBuilder(
    {
      readCheckpoints: ({ sql }, call) => {
        const build = { ...Promise.withResolvers<Checkpoints>(), sql, call };
        call.signal.addEventListener('abort', () => build.reject(call.signal.reason));
        builds.push(build);
        return build.promise;
      },
    },
    timeoutMs,
  );
  return { builder, builds };
}

describe('the keys of an index', () => {
  it.each([
    { total: 10n, step: 100 },
    { total: 5_000_000n, step: 100 },
    { total: 5_000_001n, step: 101 },
    { total: 50_000_000n, step: 1000 },
  ])('of $total records are every $step records', async ({ total, step }) => {
    const { builder, builds } = startBuilder();
    const build = builder.build(queryOf(), total);
    expect(builds[0]?.sql).toBe(`every ${step}`);
    builds[0]?.resolve(KEYS);
    expect(await build).toMatchObject({ read: KEYS, step });
  });

  it('come with how long reading them took', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { builder, builds } = startBuilder();
    vi.advanceTimersByTime(5000);
    const build = builder.build(queryOf(), 1n);
    vi.advanceTimersByTime(1234);
    builds[0]?.resolve(KEYS);
    expect((await build).buildMs).toBe(1234);
  });

  it('are none where the source fails', async () => {
    const { builder, builds } = startBuilder();
    const build = builder.build(queryOf(), 1n);
    builds[0]?.reject(new Error('broken'));
    expect(await build).toMatchObject({ read: undefined });
  });

  it('are none where the source or the dialect has none', async () => {
    const build = new IndexBuilder({}, 1000).build(queryOf(), 1n);
    expect(await build).toMatchObject({ read: undefined });
    const { builder, builds } = startBuilder();
    const query = Object.assign(queryOf(), { checkpoints: () => undefined });
    expect(await builder.build(query, 1n)).toMatchObject({ read: undefined });
    expect(builds).toEqual([]);
  });

  it('are read until the time limit', async () => {
    const { builder, builds } = startBuilder(20);
    expect(await builder.build(queryOf(), 1n)).toMatchObject({ read: undefined });
    expect(builds[0]?.call.signal.reason).toMatchObject({ code: 'query_timeout' });
  });
});

describe('an index builder', () => {
  it('is busy until the keys are read', async () => {
    const { builder, builds } = startBuilder();
    expect(builder.isBusy).toBe(false);
    const build = builder.build(queryOf(), 1n);
    expect(builder.isBusy).toBe(true);
    builds[0]?.resolve(KEYS);
    await build;
    expect(builder.isBusy).toBe(false);
  });

  it('stops what it reads when it is closed, and has stopped it then', async () => {
    const { builder, builds } = startBuilder();
    const build = builder.build(queryOf(), 1n);
    await builder.close();
    expect(builds[0]?.call.signal.reason).toMatchObject({ code: 'cancelled' });
    expect(await build).toMatchObject({ read: undefined });
  });
});
