import assert from 'node:assert/strict';

import { hasRedis, startRedis, until } from '@proj/test-servers';

import { itemsPage, SLOW_PAGE } from '../../support/ask.ts';
import { tokenOf } from '../../support/handed-out-token.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { SETTINGS, TOKEN, WITH_SLOW } from '../../support/service.ts';

const ROLES = { reader: { models: 'all' } };

/** Tokens that must not be seen, and callers who take too much. */
export const ACCESS: readonly FaultRow[] = [
  {
    name: 'Redis away',
    fault: 'the Redis of the limits is away, and then silent',
    expected: 'queries are answered, and the limit holds in the process',
    run: async ({ serve, atEnd }) => {
      if (!hasRedis()) throw new Error('No Redis server was found.');
      const redis = await startRedis();
      atEnd(async () => redis.stop());
      const settings = { ...SETTINGS, rate_limits: { requests_per_minute: 100, redis: redis.url } };
      const service = await serve({ settings });
      await demandItems(service);
      process.kill(redis.pid, 'SIGSTOP');
      for (let time = 0; time < 5; time += 1) await demandItems(service);
      await redis.halt();
      await until(async () => (await service.ask(itemsPage())).status === 429);
      demandReply(await service.ask(itemsPage()), 429, 'rate_limited');
    },
  },
  {
    name: 'secrets in the log',
    fault: 'tokens and values pass through a service that logs everything',
    expected: 'neither the token nor a value of a filter is in its output',
    run: async ({ serve }) => {
      const service = await serve({ settings: WITH_SLOW, args: ['--log-level', 'trace'] });
      const filter = { attribute: 'name', op: 'eq', value: 'canary-value' };
      demandReply(await service.ask(itemsPage({ query_filter: filter })), 200);
      demandReply(await service.ask(SLOW_PAGE), 504);
      demandReply(await service.ask(itemsPage(), { token: 'canary-token-0123456789' }), 401);
      demandStatus(await service.send('{"canary-value'), 400);
      await until(
        () =>
          service.output().includes('"statusCode":401') ||
          service.output().includes('"status":401'),
      );
      for (const secret of [TOKEN, 'canary-token', 'canary-value'])
        assert.ok(!service.output().includes(secret), `${secret} is in the log`);
    },
  },
  {
    name: 'invalid tokens from the address of others',
    fault: 'somebody at the address of good callers sends invalid tokens',
    expected: '429 for invalid tokens beyond the limit, 200 for tokens that were accepted before',
    run: async ({ serve }) => {
      const service = await serve({
        settings: { ...SETTINGS, rate_limits: { failures_per_minute: 20 } },
      });
      await demandItems(service);
      const invalid = async (): Promise<number> =>
        (await service.ask(itemsPage(), { token: 'invalid-token-0123456789' })).status;
      await until(async () => (await invalid()) === 429);
      await demandItems(service);
    },
  },
  {
    name: 'slow queries of another caller',
    fault: 'one caller sends more slow queries than there are connections',
    expected: 'the queries of another caller are answered meanwhile',
    run: async ({ serve }) => {
      const [greedy, modest] = [tokenOf('greedy'), tokenOf('modest')];
      const settings = {
        ...WITH_SLOW,
        roles: ROLES,
        tokens: [greedy.entry, modest.entry],
        limits: { query_timeout_ms: 5000 },
      };
      const service = await serve({ settings });
      // A caller who is alone may hold every connection.
      demandReply(await service.ask(itemsPage(), { token: modest.token }), 200);
      const slow = Array.from({ length: 100 }, async (_, index) =>
        service.ask({ ...SLOW_PAGE, page: { page: index + 1, size: 5 } }, { token: greedy.token }),
      );
      let under = 100;
      for (const reply of slow) void reply.then(() => (under -= 1));
      for (let page = 1; page <= 10; page += 1) {
        demandReply(
          await service.ask(itemsPage({ page: { page, size: 5 } }), { token: modest.token }),
          200,
        );
      }
      assert.ok(under > 0, 'the slow queries had ended before the others were answered');
      for (const reply of await Promise.all(slow)) demandStatus(reply, 503, 504);
    },
  },
];
