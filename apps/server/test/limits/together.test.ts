import { API_PATHS } from '@proj/contract';
import { Grant } from '@proj/engine';
import { expect, it } from 'vitest';

import { openLimits } from '../../src/limits/limits.ts';
import { rateLimitSettings } from '../../src/settings/groups/rate-limits.ts';
import { CITIES, cityQuery, send, startService, until } from '../helper.ts';

/** The role of the token sees cities only. */
const SQL = `${CITIES} create table other (id integer primary key, name text);`;

const LOG = { warn: () => undefined, info: () => undefined };

/** A service whose token may read 50 records a day; its queries end when they are let go. */
async function startLimited() {
  const settings = rateLimitSettings.parse({ rows_per_day: 50, concurrent_queries: 'unlimited' });
  const limits = await openLimits(settings, { log: LOG });
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const service = await startService({ sql: SQL, settings: { maxPageSize: 5000 } });
  const { engine } = service;
  const held = async (): Promise<void> => {
    running += 1;
    await gate.promise;
  };
  const { app, ask } = await startService({
    over: service,
    grant: new Grant(new Map([['cities', { attributes: 'all', maxPageSize: 1000 }]])),
    parts: { limits },
    stub: {
      query: async (...call: Parameters<typeof engine.query>) => {
        await held();
        return engine.query(...call);
      },
      facets: async (...call: Parameters<typeof engine.facets>) => {
        await held();
        return engine.facets(...call);
      },
    },
  });
  return { app, ask, letGo: gate.resolve, running: () => running };
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

const [PAGE, FACETS] = [API_PATHS.query, API_PATHS.facets].map((path) => `/${path}`);

const facetsOf = (count: number, facet: object) => ({
  query_model: 'cities',
  query_facets: Array.from({ length: count }, () => ({ attribute: 'name', ...facet })),
});

it.each([
  ['a page larger than any', PAGE, cityQuery(1, 2_000_000)],
  ["a page larger than the role's largest", PAGE, cityQuery(1, 1001)],
  ['a page of a model that the role hides', PAGE, { ...cityQuery(1, 1000), query_model: 'other' }],
  ['too many facets', FACETS, facetsOf(21, { values: 1000 })],
  ['too many values of a facet', FACETS, facetsOf(1, { values: 1001 })],
  ['too many bins of a facet', FACETS, facetsOf(1, { bins: 1001 })],
  ['facets of neither values nor bins', FACETS, facetsOf(20, {})],
])('%s takes nothing of the quota from a query beside it', async (_, path = '', body) => {
  const { app, ask, letGo, running } = await startLimited();
  const refused = send(app, body, { path });
  await until(() => running() === 1);
  const beside = ask(cityQuery(1, 20));
  await Promise.race([beside, until(() => running() === 2)]);
  letGo();
  expect((await beside).statusCode).toBe(200);
  expect((await refused).statusCode).toBe(400);
});
