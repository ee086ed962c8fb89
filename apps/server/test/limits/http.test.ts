import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { listen, until } from '../helper.ts';
import { problemMatcher, readProblem } from '../problem.ts';
import { stubApp } from './stub-app.ts';

expect.extend(problemMatcher);

describe('the rate of a token', () => {
  it('is reported in every reply; once it is consumed, requests get a problem and how long to wait', async () => {
    const { ask, clock } = await stubApp({
      settings: { requests_per_minute: 2, concurrent_queries: 'unlimited' },
    });
    const first = await ask('good-a');
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"requests-per-minute";q=2;w=60',
      ratelimit: '"requests-per-minute";r=1;t=61',
    });
    expect(first.headers).not.toHaveProperty('retry-after');
    clock.now = 10_500;
    expect((await ask('good-a')).headers['ratelimit']).toBe('"requests-per-minute";r=0;t=51');
    const refused = await ask('good-a');
    expect(readProblem(refused, 'rate_limited').detail).toBe(
      'The token may send 2 requests in 60 seconds.',
    );
    expect(refused.headers).toMatchObject({
      'retry-after': '51',
      ratelimit: '"requests-per-minute";r=0;t=51',
    });
    expect((await ask('good-b')).statusCode).toBe(200);
    clock.now += 51_000;
    expect((await ask('good-a')).statusCode).toBe(200);
  });

  it('counts requests that fail, and reports it', async () => {
    const { ask } = await stubApp({ settings: { requests_per_minute: 2, concurrent_queries: 16 } });
    const failed = await ask('good-a', { url: '/fail' });
    expect(failed).toBeProblem('internal');
    expect(failed.headers['ratelimit']).toBe(
      '"requests-per-minute";r=1;t=61, "concurrent-queries";r=15',
    );
    await ask('good-a');
    expect(await ask('good-a', { url: '/fail' })).toBeProblem('rate_limited');
  });

  it('does not concern public routes', async () => {
    const { app, ask } = await stubApp({ settings: { requests_per_minute: 1 } });
    await ask('good-a');
    const live = await app.inject({ url: '/live', headers: { authorization: 'Bearer good-a' } });
    expect(live.statusCode).toBe(200);
    expect(live.headers).not.toHaveProperty('ratelimit');
  });

  it('is not reported where nothing is limited, nor to requests without a valid token', async () => {
    const { ask } = await stubApp({ settings: {} });
    expect((await ask('good-a')).headers).not.toHaveProperty('ratelimit-policy');
    const limited = await stubApp({ settings: { requests_per_minute: 1 } });
    expect((await limited.ask('bad')).headers).not.toHaveProperty('ratelimit');
  });
});

describe('the rows of a token', () => {
  it('are counted as they are read, and refused for queries alone once they are used up', async () => {
    const { ask, clock } = await stubApp({
      settings: { rows_per_day: 100, concurrent_queries: 'unlimited' },
    });
    const first = await ask('good-a', { url: '/query/60' });
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"rows-per-day";q=100;qu="rows";w=86400',
      ratelimit: '"rows-per-day";r=40;t=87300',
    });
    expect((await ask('good-a', { url: '/query/60' })).statusCode).toBe(200);
    clock.now = 3_600_000;
    const refused = await ask('good-a', { url: '/query/1' });
    expect(readProblem(refused, 'quota_exceeded').detail).toBe(
      'The token may read 100 records in 24 hours.',
    );
    expect(refused.headers).toMatchObject({
      'retry-after': '83700',
      ratelimit: '"rows-per-day";r=0;t=83700',
    });
    expect((await ask('good-a')).statusCode).toBe(200);
    expect((await ask('good-b', { url: '/query/1' })).statusCode).toBe(200);
    clock.now = 87_300_000;
    expect((await ask('good-a', { url: '/query/1' })).statusCode).toBe(200);
  });
});

describe('the queries of a token', () => {
  it('run at once up to the limit; one more is refused at once', async () => {
    const { ask, running, endQueries } = await stubApp({ settings: { concurrent_queries: 2 } });
    const held = [ask('good-a', { url: '/wait' }), ask('good-a', { url: '/wait' })];
    await until(() => running() === 2);
    const refused = await ask('good-a', { url: '/wait' });
    expect(readProblem(refused, 'rate_limited').detail).toBe(
      'The token may run 2 queries at once.',
    );
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"concurrent-queries";q=2;qu="concurrent-requests"',
      ratelimit: '"concurrent-queries";r=0',
    });
    expect((await ask('good-a')).statusCode).toBe(200);
    expect((await ask('good-b', { url: '/query/1' })).statusCode).toBe(200);
    endQueries();
    expect((await Promise.all(held)).map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect((await ask('good-a', { url: '/query/1' })).statusCode).toBe(200);
  });

  it('give their slot back when they fail', async () => {
    const { ask } = await stubApp({ settings: { concurrent_queries: 1 } });
    for (let count = 0; count < 5; count++)
      expect(await ask('good-a', { url: '/fail' })).toBeProblem('internal');
  });

  it('give their slot back when the caller leaves', async () => {
    const { app, ask, running } = await stubApp({ settings: { concurrent_queries: 1 } });
    const port = await listen(app);
    const leaving = request({
      port,
      path: '/wait',
      headers: { authorization: 'Bearer good-a' },
    }).on('error', () => undefined);
    leaving.end();
    await until(() => running() === 1);
    expect(await ask('good-a', { url: '/query/1' })).toBeProblem('rate_limited');
    leaving.destroy();
    await until(async () => (await ask('good-a', { url: '/query/1' })).statusCode === 200);
  });
});

describe('an address that guesses tokens', () => {
  it('is refused before its next token is looked at, whatever that is, while others are served', async () => {
    const { app, ask, clock, lookUps } = await stubApp({ settings: { failures_per_minute: 5 } });
    for (let count = 0; count < 5; count++)
      expect(await ask(`bad-${count}`)).toBeProblem('unauthenticated');
    clock.now = 20_000;
    const looked = lookUps();
    for (const token of ['bad-5', 'good-a', '', 'bad-5']) {
      const refused = await ask(token);
      expect(refused).toBeProblem('rate_limited');
      expect(refused.headers['retry-after']).toBe('41');
      expect(refused.headers).not.toHaveProperty('ratelimit');
    }
    expect(lookUps()).toBe(looked);
    expect((await ask('good-a', { from: '192.0.2.2' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/live', remoteAddress: '192.0.2.1' })).statusCode).toBe(200);
    clock.now = 61_000;
    expect((await ask('good-a')).statusCode).toBe(200);
  });

  it('goes on with the tokens that were accepted from it in the last hour, and with no others', async () => {
    const { ask, clock, lookUps } = await stubApp({ settings: { failures_per_minute: 2 } });
    expect((await ask('good-a')).statusCode).toBe(200);
    expect((await ask('good-b', { from: '192.0.2.2' })).statusCode).toBe(200);
    clock.now = 59 * 60_000;
    for (const token of ['bad-1', 'bad-2']) await ask(token);
    expect((await ask('good-a')).statusCode).toBe(200);
    const looked = lookUps();
    for (const token of ['bad-3', 'good-b', 'good-c'])
      expect(await ask(token)).toBeProblem('rate_limited');
    expect(lookUps()).toBe(looked);
    clock.now = 3 * 3_600_000;
    for (const token of ['bad-4', 'bad-5']) await ask(token);
    expect(await ask('good-a')).toBeProblem('rate_limited');
  });

  it('is not one that sends no token, or a valid one', async () => {
    const { app, ask } = await stubApp({ settings: { failures_per_minute: 1 } });
    for (let count = 0; count < 5; count++) {
      expect(await app.inject({ url: '/names', remoteAddress: '192.0.2.1' })).toBeProblem(
        'unauthenticated',
      );
      expect((await ask('good-a')).statusCode).toBe(200);
    }
  });

  it('is the same from all of its IPv6 addresses', async () => {
    const { ask } = await stubApp({ settings: { failures_per_minute: 2 } });
    await ask('bad', { from: '2001:db8:0:7::1' });
    await ask('bad', { from: '2001:db8:0:7:ffff::2' });
    expect(await ask('good-a', { from: '2001:db8:0:7::3' })).toBeProblem('rate_limited');
    expect((await ask('good-a', { from: '2001:db8:0:8::1' })).statusCode).toBe(200);
  });
});
