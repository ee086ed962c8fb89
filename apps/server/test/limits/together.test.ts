import { expect, it } from 'vitest';

import { openLimits } from '../../src/limits/limits.ts';
import { rateLimitSettings } from '../../src/settings/groups/rate-limits.ts';
import { cityQuery, startService, until } from '../helper.ts';

const LOG = { warn: () => undefined, info: () => undefined };

/** A service whose token may read 50 records a day; its queries end when they are let go. */
async function startLimited() {
  const settings = rateLimitSettings.parse({ rows_per_day: 50, concurrent_queries: 'unlimited' });
  const limits = await openLimits(settings, { log: LOG });
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const service = await startService();
  const { engine } = service;
  const { ask } = await startService({
    over: service,
    parts: { limits },
    stub: {
      query: async (...call: Parameters<typeof engine.query>) => {
        running += 1;
        await gate.promise;
        return engine.query(...call);
      },
    },
  });
  return { ask, letGo: gate.resolve, running: () => running };
}

it('queries that run together read no more records than the quota leaves, but for what the last of them may pass it', async () => {
  const { ask, letGo, running } = await startLimited();
  const replies = Array.from({ length: 20 }, async () => {
    const reply = await ask(cityQuery(1, 20));
    if (reply.statusCode === 429) refusals.push(reply);
    return reply;
  });
  const refusals: Awaited<ReturnType<typeof ask>>[] = [];
  await until(() => running() + refusals.length === 20);
  letGo();
  const statuses = (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(refusals[0]).toBeProblem('quota_exceeded');
  expect(refusals[0]?.headers['retry-after']).toBe('1');
});

it('a query that has ended counts as what it returned', async () => {
  const { ask, letGo } = await startLimited();
  letGo();
  const statuses: number[] = [];
  // Of 42 cities: 2 on each of three pages, then all of them, then two more than the quota has.
  for (const [page, size] of [
    [3, 20],
    [3, 20],
    [3, 20],
    [1, 1000],
    [1, 4],
    [1, 1],
  ] as const)
    statuses.push((await ask(cityQuery(page, size))).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
