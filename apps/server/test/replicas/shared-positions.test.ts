import { type RedisServer, startRedis } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { SharedPositions } from '../../src/redis/shared-positions.ts';
import { until } from '../helper.ts';
import { withoutRedis } from '../limits/without-redis.ts';

const MAX_LAG_MS = 1000;

describe.skipIf(withoutRedis)('positions in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** What one process shares, once it is connected. */
  async function open(): Promise<SharedPositions> {
    const log = { warn: () => undefined, info: () => undefined };
    // A Redis that answers is never given up, however busy the machine is.
    const times = { request: 25_000, probeEvery: 20, silence: 25_000 };
    const positions = new SharedPositions(redis.url, { log, times, maxLagMs: MAX_LAG_MS });
    onTestFinished(() => positions.close());
    await until(async () => (await positions.of('nobody')) !== undefined);
    return positions;
  }

  const runs = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client('INFO', 'commandstats'))?.[1]);

  it('are those that each other process has noted last for the caller', async () => {
    const [one, other, third] = await Promise.all([open(), open(), open()]);
    await one.note('a', '0/1');
    await one.note('a', '0/2');
    await other.note('a', '0/3');
    await other.note('b', '0/9');
    expect((await third.of('a'))?.toSorted()).toEqual(['0/2', '0/3']);
    expect(await one.of('a')).toEqual(['0/3']);
    expect(await one.of('c')).toEqual([]);
  });

  it('go away by themselves, also one by one under the key of a caller who goes on asking', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await one.note('d', '0/1');
    const key = 'dynamic-query:{d}:seen';
    const left = Number(await redis.client('PTTL', key));
    expect(left).toBeGreaterThan(MAX_LAG_MS);
    await redis.client('HSET', key, 'a process of long ago', '1000 0/0');
    expect(await other.of('d')).toEqual(['0/1']);
    expect(await redis.client('HLEN', key)).toBe('1');
  });

  it('are sent once while they stay the same', async () => {
    const one = await open();
    await one.note('e', '0/1');
    const before = await runs();
    await Promise.all([one.note('e', '0/1'), one.note('e', '0/1')]);
    expect((await runs()) - before).toBe(0);
  });
});
