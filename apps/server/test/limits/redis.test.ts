import { connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { freePort, listenOnFreePort, type RedisServer, startRedis } from '@proj/test-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { openLimits, type Limits } from '../../src/limits/limits.ts';
import type { RedisTimes } from '../../src/redis/redis-connection.ts';
import { rateLimitSettings } from '../../src/settings/groups/rate-limits.ts';
import { until } from '../helper.ts';
import { withoutRedis } from './without-redis.ts';

/** A Redis that answers is never given up, however busy the machine is. */
const PATIENT: RedisTimes = { request: 25_000, probeEvery: 20, silence: 25_000 };
const QUICK: RedisTimes = { request: 100, probeEvery: 20, silence: 300 };

async function limitsAt(
  redis: string,
  input: object = {},
  redisTimes = PATIENT,
): Promise<{ limits: Limits; lines: string[] }> {
  const lines: string[] = [];
  const log = {
    warn: (_facts: unknown, line?: string) => void lines.push(`warn: ${line}`),
    info: (line: unknown) => void lines.push(`info: ${String(line)}`),
  };
  const limits = await openLimits(
    rateLimitSettings.parse({ requests_per_minute: 10, redis, ...input }),
    { log, redisTimes },
  );
  onTestFinished(() => limits.close());
  return { limits, lines };
}

async function allowed(limits: Limits, token: string): Promise<boolean> {
  return (await limits.consumeRequest(token)).requests?.allowed === true;
}

/** How many of so many requests at once pass. */
async function passing(all: readonly Limits[], attempts: number, token: string): Promise<number> {
  const answers = Array.from({ length: attempts }, (_none, index) =>
    allowed(all[index % all.length] as Limits, token),
  );
  return (await Promise.all(answers)).filter(Boolean).length;
}

/** What comes of work that waits for nothing outside of this process. */
async function atOnce<Value>(work: Promise<Value>): Promise<Value | 'later'> {
  return Promise.race([work, setImmediate('later' as const)]);
}

const AWAY = 'warn: Redis does not answer; until it does, this process counts for itself';
const BACK = 'info: Redis answers again; the limits are shared';

describe.skipIf(withoutRedis)('limits in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => void (await redis.client('FLUSHALL')));
  afterAll(() => redis.stop());

  const keys = async (): Promise<string[]> =>
    (await redis.client('KEYS', '*')).split('\n').filter(Boolean).toSorted();

  /** Waits until a process counts in Redis. */
  const connected = (limits: Limits, token = 'warm-up') =>
    until(async () => {
      await limits.consumeRequest(token);
      return (await redis.client('EXISTS', `dynamic-query:{${token}}:requests-per-minute`)) === '1';
    });

  /** The limits of a process that counts in Redis. */
  async function connectedLimits(times: RedisTimes) {
    const one = await limitsAt(redis.url, {}, times);
    await connected(one.limits);
    return one;
  }

  async function pair(input: object = {}) {
    const one = await limitsAt(redis.url, input);
    const other = await limitsAt(redis.url, input);
    await Promise.all([connected(one.limits, 'first'), connected(other.limits, 'second')]);
    return { one, other };
  }

  it('are shared by two processes, to the last request, with all of them at once', async () => {
    const { one, other } = await pair();
    expect(await passing([one.limits, other.limits], 100, 'a')).toBe(10);
    expect((await other.limits.consumeRequest('a')).requests).toMatchObject({
      allowed: false,
      remaining: 0,
      limit: 10,
    });
    expect(await allowed(other.limits, 'b')).toBe(true);
    expect([...one.lines, ...other.lines]).toEqual([]);
  });

  it('let exports of two processes begin as long as all of their records are left', async () => {
    const { one, other } = await pair({ rows_per_day: 100 });
    const asked = Array.from({ length: 10 }, async (_none, index) =>
      (index % 2 === 0 ? one : other).limits.reserveRecords('a', 30),
    );
    const begun = (await Promise.all(asked)).filter((state) => state?.allowed === true);
    expect(begun).toHaveLength(3);
    // What was refused was not counted.
    expect(await other.limits.reserveRecords('a', 10)).toMatchObject({
      allowed: true,
      remaining: 0,
    });
    expect(await one.limits.reserveRecords('a', 1)).toMatchObject({ allowed: false });
  });

  it('block an address in the other process with its next invalid token', async () => {
    const { one, other } = await pair({ failures_per_minute: 5 });
    for (let count = 0; count < 5; count++) one.limits.countInvalidToken('192.0.2.1');
    expect(one.limits.blocked('192.0.2.1')).toMatchObject({ allowed: false });
    expect(other.limits.blocked('192.0.2.1')).toBeUndefined();
    other.limits.countInvalidToken('192.0.2.1');
    await until(() => other.limits.blocked('192.0.2.1') !== undefined);
    expect(other.limits.blocked('192.0.2.2')).toBeUndefined();
  });

  it('leave keys that say whose they are, and that expire', async () => {
    const { one } = await pair({ rows_per_day: 100, failures_per_minute: 5 });
    one.limits.countInvalidToken('2001:db8::1');
    await one.limits.consumeRequest('reporting');
    await one.limits.consumeRecords('reporting', 1);
    await one.limits.consumeRequest(`}{\r\n *${'x'.repeat(250)}`);
    const found = (await keys()).filter((key) => !/first|second/.test(key));
    expect(found).toEqual([
      'dynamic-query:{2001:db8:0:0::}:failures-per-minute',
      'dynamic-query:{reporting}:requests-per-minute',
      'dynamic-query:{reporting}:rows-per-day',
      expect.stringMatching(/^dynamic-query:\{sha256-[0-9a-f]{64}\}:requests-per-minute$/),
    ]);
    for (const key of found) expect(Number(await redis.client('PTTL', key))).toBeGreaterThan(0);
    expect(Number(await redis.client('PTTL', found[0] ?? ''))).toBeLessThanOrEqual(61_000);
  });

  it('are those of the process while Redis is frozen, which costs one wait, and are shared again afterwards', async () => {
    const { limits, lines } = await connectedLimits(QUICK);
    expect(await passing([limits], 4, 'a')).toBe(4);
    process.kill(redis.pid, 'SIGSTOP');
    // Four had passed before.
    expect(await passing([limits], 50, 'a')).toBe(6);
    expect(lines.at(-1)).toBe(AWAY);
    expect(await atOnce(passing([limits], 50, 'b'))).toBe(10);
    process.kill(redis.pid, 'SIGCONT');
    await until(() => lines.at(-1) === BACK);
    expect(await passing([limits], 3, 'a')).toBe(0);
    await until(async () => {
      await limits.consumeRequest('c');
      return (await keys()).includes('dynamic-query:{c}:requests-per-minute');
    });
  });

  it('outlive a Redis that ends and comes back empty', async () => {
    const { limits, lines } = await connectedLimits(PATIENT);
    await redis.halt();
    await until(() => lines.length === 1);
    expect(await atOnce(passing([limits], 50, 'a'))).toBe(10);
    await redis.restart();
    await until(() => lines.length > 1);
    expect(lines).toEqual([AWAY, BACK]);
    expect(await allowed(limits, 'a')).toBe(false);
    await limits.consumeRequest('b');
    expect(await keys()).toContain('dynamic-query:{b}:requests-per-minute');
  });

  it('are counted in a new primary once the old one is its replica, though its connections last', async () => {
    const old = await startRedis();
    onTestFinished(() => old.stop());
    let primary = old;
    const front = createServer((socket) => {
      const server = connect(Number(new URL(primary.url).port), '127.0.0.1');
      socket.on('error', () => server.destroy()).pipe(server);
      server.on('error', () => socket.destroy()).pipe(socket);
    });
    const port = await listenOnFreePort(front);
    onTestFinished(() => void front.close());
    const { limits, lines } = await limitsAt(`redis://127.0.0.1:${port}`);
    await until(async () => {
      await limits.consumeRequest('warm-up');
      return (await old.client('DBSIZE')) === '1';
    });
    primary = redis;
    await old.client('REPLICAOF', '127.0.0.1', new URL(redis.url).port);
    await limits.consumeRequest('a');
    await until(() => lines.length > 1);
    expect(lines).toEqual([AWAY, BACK]);
    await limits.consumeRequest('b');
    expect(await keys()).toContain('dynamic-query:{b}:requests-per-minute');
  });

  it('never log the password', async () => {
    await redis.client('CONFIG', 'SET', 'requirepass', 'the-right-one');
    onTestFinished(async () => {
      const command = ['CONFIG', 'SET', 'requirepass', ''];
      await redis.client('-a', 'the-right-one', '--no-auth-warning', ...command);
    });
    const logged: unknown[] = [];
    const log = {
      warn: (...parts: unknown[]) => void logged.push(parts),
      info: (...parts: unknown[]) => void logged.push(parts),
    };
    const url = redis.url.replace('//', '//:a-canary@');
    const limits = await openLimits(
      rateLimitSettings.parse({ requests_per_minute: 10, redis: url }),
      {
        log,
      },
    );
    onTestFinished(() => limits.close());
    await until(() => logged.length > 0);
    expect(await passing([limits], 50, 'a')).toBe(10);
    expect(JSON.stringify(logged)).toContain('WRONGPASS');
    expect(JSON.stringify(logged)).not.toContain('canary');
  });
});

describe('without a Redis at the address', () => {
  it('a closed port costs nothing but one line', async () => {
    const { limits, lines } = await limitsAt(`redis://127.0.0.1:${await freePort()}`);
    expect(await atOnce(passing([limits], 20, 'a'))).toBe(10);
    await until(() => lines.length > 0);
    expect(await atOnce(passing([limits], 20, 'b'))).toBe(10);
    expect(lines).toEqual([AWAY]);
  });

  it('a port that accepts and stays silent costs one wait, and is dialled anew', async () => {
    let dialled = 0;
    let asked = 0;
    const server = createServer((socket) => {
      dialled += 1;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => (asked += bytes.toString().split('evalsha').length - 1));
    });
    const port = await listenOnFreePort(server);
    onTestFinished(() => void server.close());
    const { limits, lines } = await limitsAt(`redis://127.0.0.1:${port}`, {}, QUICK);
    // It counts by itself until it is connected, and asks Redis from then on.
    await until(async () => {
      await limits.consumeRequest('warm-up');
      return lines.length > 0;
    });
    const before = asked;
    expect(before).toBeGreaterThan(0);
    expect(await atOnce(passing([limits], 20, 'b'))).toBe(10);
    await until(() => dialled > 1);
    expect(lines).toEqual([AWAY]);
  });
});
