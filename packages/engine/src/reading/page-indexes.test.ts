import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Checkpoints, ReadCall, Source } from '../sources/source.ts';
import { CacheStore } from '../cache-store.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import { PageIndexes } from './page-indexes.ts';

const STATEMENT = { sql: 'anchors', parameters: [] };

interface Build {
  readonly call: ReadCall;
  readonly answer: (checkpoints: Checkpoints) => void;
  readonly fail: (error: Error) => void;
}

/** Indexes whose keys are read by hand. */
function indexesOf(memoryBytes = 100_000) {
  const builds: Build[] = [];
  const readCheckpoints: Source['readCheckpoints'] = (_anchors, call) => {
    const { promise, resolve, reject } = Promise.withResolvers<Checkpoints>();
    builds.push({ call, answer: resolve, fail: reject });
    return promise;
  };
  const indexes = new PageIndexes({ readCheckpoints } as Source, new CacheStore(memoryBytes), 1234);
  return { indexes, builds };
}

function listOf(orderKey: string): PreparedQuery {
  return {
    orderKey,
    checkpoints: () => STATEMENT,
    seek: () => STATEMENT,
    statements: { fields: [] },
  } as unknown as PreparedQuery;
}

const LIST = listOf('list');
const known = (total = 10_000n, version = '1') => ({ total, version });
const keysOf = (count: number): string[][] =>
  Array.from({ length: count }, (_, index) => [String(index)]);
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function want(
  indexes: PageIndexes,
  query: PreparedQuery,
  total: ReturnType<typeof known> = known(),
): Promise<void> {
  indexes.want(query, total);
  await settled();
}

describe('an index of a list', () => {
  it('is built when it is wanted again, within the time limit, and leads to its pages', async () => {
    const { indexes, builds } = indexesOf();
    await want(indexes, LIST);
    expect(builds).toHaveLength(0);
    await want(indexes, LIST);
    expect(builds[0]?.call.deadline).toBeLessThanOrEqual(performance.now() + 1234);
    builds[0]?.answer({ keys: keysOf(100), version: '1' });
    await settled();
    expect(indexes.find(LIST, known(), { size: 10, offset: 5000n })).toMatchObject({
      bindings: { key: ['50'], offset: 0n },
    });
  });

  it('is not built for lists that are each looked at once', async () => {
    const { indexes, builds } = indexesOf();
    for (let number = 0; number < 100; number++) await want(indexes, listOf(String(number)));
    expect(builds).toHaveLength(0);
  });

  it('waits while another one is built', async () => {
    const { indexes, builds } = indexesOf();
    for (const name of ['a', 'b', 'a', 'b']) await want(indexes, listOf(name));
    expect(builds).toHaveLength(1);
    builds[0]?.answer({ keys: keysOf(1), version: '1' });
    await settled();
    await want(indexes, listOf('b'));
    expect(builds).toHaveLength(2);
  });

  it('that does not fit into memory is built once, until the list is of another length', async () => {
    const { indexes, builds } = indexesOf(10_000);
    await want(indexes, LIST);
    await want(indexes, LIST);
    builds[0]?.answer({ keys: keysOf(1000), version: '1' });
    await settled();
    for (let times = 0; times < 100; times++)
      await want(indexes, LIST, known(10_000n + BigInt(times), String(times)));
    expect(builds).toHaveLength(1);
    await want(indexes, LIST, known(5000n));
    expect(builds).toHaveLength(2);
  });

  it('that could not be built in time is not tried again for four times as long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { indexes, builds } = indexesOf();
    await want(indexes, LIST);
    await want(indexes, LIST);
    vi.advanceTimersByTime(60_000);
    builds[0]?.fail(new Error('It took too long.'));
    await settled();
    vi.advanceTimersByTime(4 * 60_000 - 1);
    await want(indexes, LIST);
    expect(builds).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await want(indexes, LIST);
    expect(builds).toHaveLength(2);
  });
});
