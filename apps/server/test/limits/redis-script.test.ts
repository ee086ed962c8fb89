import { type RedisServer, SEED, startRedis } from '@proj/test-servers';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { REQUESTS, RECORDS } from '../../src/limits/counts/policies.ts';
import {
  readReply,
  SCRIPT,
  scriptArguments,
  scriptKeys,
} from '../../src/limits/counts/redis-script.ts';
import { SlidingCount } from '../../src/limits/counts/sliding-count.ts';
import type { Consumption, Usage } from '../../src/limits/counts/rate-limit-state.ts';
import { withoutRedis } from './without-redis.ts';

/** The script under a clock that the test moves: the last two arguments are the time. */
const TIMED = SCRIPT.replace("redis.call('TIME')", '{ ARGV[#ARGV - 1], ARGV[#ARGV] }');

describe.skipIf(withoutRedis)('the script in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  async function runAt(now: number, consumption: Consumption): Promise<Usage | undefined> {
    const keys = scriptKeys([consumption]);
    const time = [Math.floor(now / 1000), (now % 1000) * 1000];
    return readReply(
      await redis.eval(TIMED, 1, ...keys, ...scriptArguments([consumption]), ...time),
    )[0];
  }

  it('reckons as the process does', async () => {
    const step = fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat({ max: 150_000 })),
      amount: fc.nat({ max: 4 }),
      unconditional: fc.boolean(),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    let run = 0;
    const policies = fc.constantFrom(
      { ...REQUESTS, slotMs: 30_000, slots: 4 },
      { ...REQUESTS, slotMs: 20_000, slots: 1 },
      { ...RECORDS, slotMs: 5000 },
    );
    await fc.assert(
      fc.asyncProperty(
        policies,
        fc.nat(2 ** 40),
        fc.array(step, { maxLength: 30 }),
        async (policy, start, sequence) => {
          const local = new SlidingCount(policy, start);
          const owner = `run-${run++}`;
          let now = start;
          for (const { wait, ...consumption } of sequence) {
            now += wait;
            // Keys expire by the clock of Redis, on which next to no time passes: windows of many
            // seconds outlast the run.
            expect(await runAt(now, { policy, owner, ...consumption })).toEqual(
              local.consume(consumption, now),
            );
          }
        },
      ),
      { seed: SEED },
    );
  });

  it('counts large limits and amounts to the last', async () => {
    const consumption: Consumption = {
      policy: RECORDS,
      owner: 'large',
      limit: 1e12,
      amount: 1e12 - 1,
      unconditional: false,
    };
    expect(await runAt(0, consumption)).toMatchObject({ consumed: 1e12 - 1, allowed: true });
    expect(await runAt(1, { ...consumption, amount: 2 })).toMatchObject({
      consumed: 1e12 - 1,
      allowed: false,
    });
    expect(await runAt(2, { ...consumption, amount: 1 })).toMatchObject({
      consumed: 1e12,
      allowed: true,
    });
  });
});
