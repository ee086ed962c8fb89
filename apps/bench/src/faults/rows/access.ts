import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasRedis, startRedis, until } from '@proj/test-servers';

import { itemsPage, SLOW_PAGE } from '../ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Issuer, startIssuer } from '../jwt.ts';
import { type FaultService, SETTINGS, TOKEN, WITH_SLOW } from '../service.ts';
import type { Stage } from '../stage.ts';

const ROLES = { reader: { models: 'all' } };

/** A token of the settings, and its entry there. */
const handedOut = (name: string) => {
  const token = `dq_${name}-0123456789abcdefghijklmnopqrstuvwxyz`;
  return {
    token,
    entry: { name, role: 'reader', sha256: createHash('sha256').update(token).digest('hex') },
  };
};

/** Tokens, the services that stand behind them, and callers who take too much. */
export const ACCESS: readonly FaultRow[] = [
  {
    id: '28',
    fault: 'the clocks of the issuer and the service differ by 29 and by 31 seconds',
    expected: 'accepted up to 30 s, refused beyond',
    run: async (stage) => {
      const { service, issuer } = await serveIssuer(stage);
      for (const claims of [{ exp: -20 }, { nbf: 20 }])
        demandReply(await service.ask(itemsPage(), { token: issuer.token(claims) }), 200);
      for (const claims of [{ exp: -40 }, { nbf: 40 }]) {
        demandReply(
          await service.ask(itemsPage(), { token: issuer.token(claims) }),
          401,
          'unauthenticated',
        );
      }
    },
  },
  {
    id: '29',
    fault: "the issuer's keys cannot be read: from the start, and later",
    expected: '503 auth_unavailable until they were read once; afterwards its tokens stay valid',
    run: async (stage) => {
      const issuer = await issuerOf(stage);
      issuer.answers(false);
      const service = await stage.serve({
        settings: { ...SETTINGS, roles: ROLES, jwt: [issuer.settings] },
      });
      demandReply(
        await service.ask(itemsPage(), { token: issuer.token() }),
        503,
        'auth_unavailable',
      );
      await demandItems(service);
      issuer.answers(true);
      await until(
        async () => (await service.ask(itemsPage(), { token: issuer.token() })).status === 200,
      );
      issuer.answers(false);
      for (let time = 0; time < 20; time += 1)
        demandReply(await service.ask(itemsPage(), { token: issuer.token() }), 200);
    },
  },
  {
    id: '30',
    fault: 'the issuer changes its keys',
    expected:
      'tokens of the new key are accepted without a restart, ' +
      'and few fetches are made for unknown ones',
    // It takes the half minute for which unknown keys fetch nothing.
    databases: ['sqlite'],
    run: async (stage) => {
      const { service, issuer } = await serveIssuer(stage);
      demandReply(await service.ask(itemsPage(), { token: issuer.token() }), 200);
      issuer.rotate();
      await until(async () => {
        // Faster, and the address would count as one that guesses tokens.
        await sleep(500);
        return (await service.ask(itemsPage(), { token: issuer.token() })).status === 200;
      });
      assert.ok(issuer.fetches() < 20, `${issuer.fetches()} fetches of the keys`);
    },
  },
  {
    id: '31',
    fault: 'the Redis of the limits is away, and then silent',
    expected: 'queries are answered, and the limit holds in the process',
    run: async ({ serve, atEnd }) => {
      if (!(await hasRedis())) throw new Error('No Redis server was found.');
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
    id: '50',
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
    id: 'lockout',
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
    id: 'fairness',
    fault: 'one caller sends more slow queries than there are connections',
    expected: 'the queries of another caller are answered meanwhile',
    run: async ({ serve }) => {
      const [greedy, modest] = [handedOut('greedy'), handedOut('modest')];
      const settings = {
        ...WITH_SLOW,
        roles: ROLES,
        tokens: [greedy.entry, modest.entry],
        limits: { query_timeout_ms: 5000 },
      };
      const service = await serve({ settings });
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

async function issuerOf({ atEnd }: Stage): Promise<Issuer> {
  const issuer = await startIssuer();
  atEnd(issuer.stop);
  return issuer;
}

async function serveIssuer(stage: Stage): Promise<{ issuer: Issuer; service: FaultService }> {
  const issuer = await issuerOf(stage);
  const service = await stage.serve({
    settings: { ...WITH_SLOW, roles: ROLES, jwt: [issuer.settings] },
  });
  return { issuer, service };
}
