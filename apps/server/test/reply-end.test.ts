import { API_PATHS } from '@proj/contract';
import { ReplyMemory } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { ServiceMetrics } from '../src/http/metrics/service-metrics.ts';
import { createSending } from '../src/http/plugins/slow-readers.ts';
import { openLimits } from '../src/limits/limits.ts';
import { rateLimitSettings } from '../src/settings/groups/rate-limits.ts';
import type { ReplyFacts } from '../src/traces/request-tracing.ts';
import { cityQuery, listen, sendTo, sharedService, startService, until } from './helper.ts';

/** Records of which a page is large enough to be bounded. */
const LARGE = `
  create table cities (id integer primary key, name text not null);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 42)
  insert into cities select i, printf('city %01000d', i) from n;`;

const over = await sharedService({ sql: LARGE });

/** All that wants to know when a reply has ended. */
async function everythingOn() {
  const ended: (ReplyFacts | string)[] = [];
  const trace = { traceId: '', traceparent: '', run: <Result>(work: () => Result) => work() };
  const metrics = new ServiceMetrics();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const limits = await openLimits(rateLimitSettings.parse({ concurrent_queries: 5 }), { log });
  const parts = {
    metrics,
    limits,
    sending: createSending({
      max_unsent_bytes: 2 ** 30,
      max_unsent_bytes_per_token: 2 ** 30,
      send_timeout_ms: 60_000,
    }),
    replyMemory: new ReplyMemory({ bytes: 2 ** 30 }),
    tracing: {
      start: () => ({ ...trace, end: (facts: ReplyFacts) => void ended.push(facts) }),
      close: async () => undefined,
    },
    auditLog: {
      write: ({ outcome }: { outcome: string }) => void ended.push(outcome),
      failure: undefined,
      dropped: 0,
      close: async () => undefined,
    },
  };
  const { app } = await startService({ over, parts });
  return { app, ended };
}

it('listens to each reply so few times with everything switched on that Node warns of no leak', async () => {
  const { app, ended } = await everythingOn();
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  let most = 0;
  app.server.prependListener('request', (_request, reply) => {
    reply.on('newListener', (event) => {
      if (event === 'close') most = Math.max(most, reply.listenerCount('close') + 1);
    });
  });
  const origin = `http://127.0.0.1:${await listen(app)}`;
  const { page: _, ...list } = cityQuery(1, 1000);
  for (const [path, body] of [
    [API_PATHS.export, list],
    [API_PATHS.query, cityQuery(1, 1000)],
  ] as const) {
    const reply = await sendTo(origin, body, { path: `/${path}` });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('0042')]);
  }
  await until(() => ended.length === 4);
  expect(ended).toMatchObject([{ status: 200 }, 'ok', { status: 200 }, 'ok']);
  // The rest are those of Node and Fastify, which send an export as a stream.
  expect(most).toBeLessThan(8);
  expect(warnings).toEqual([]);
});
