import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { anyPort } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { DATABASES } from '../databases/fault-database.ts';
import { openFaultDatabase } from '../databases/open-fault-database.ts';
import { startService } from '../support/service.ts';
import { fuzzService } from './fuzz-service.ts';
import { CREATE_KINDS, fillKinds } from './kinds-table.ts';

/** For each database. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1000);
const SEED = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

/** Far longer than one takes on a busy machine. */
const REQUEST_LIMIT_MS = 200;

const SETTINGS = {
  expose: 'all',
  log_level: 'error',
  limits: { query_timeout_ms: 30_000 },
  // Each wrong token would count.
  rate_limits: { failures_per_minute: 'unlimited' },
};

describe(`${REQUESTS} generated requests (seed ${SEED})`, () => {
  it.each(DATABASES)(
    'to the service over $title are each answered, with no other 5xx than 501, with errors that ' +
      'are problem documents and none in its log',
    async ({ name, title }) => {
      const database = await openFaultDatabase(name);
      onTestFinished(database.close);
      for (const statement of [CREATE_KINDS, fillKinds()]) await database.run(statement);
      const service = await startService({ database: database.url, settings: SETTINGS });
      onTestFinished(service.stop);
      const plan = { port: service.port, count: REQUESTS, seed: SEED };
      const { sent, outcomes, failure } = await fuzzService(plan);
      const sorted = [...outcomes].toSorted(([one], [other]) => one.localeCompare(other));
      const counts = sorted.map(([outcome, times]) => `${outcome}: ${times}`);
      console.info(`${title}: ${sent} requests; ${counts.join(', ')}`);
      expect(failure).toBeUndefined();
      expect(sent).toBe(REQUESTS);
      expect((await service.get('/readyz')).status).toBe(200);
      const errors = service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(errors).toEqual([]);
    },
    60_000 + REQUESTS * REQUEST_LIMIT_MS,
  );
});

it('a short request at which a server fails is found, and found again by the seed', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isLong = Number(request.headers['content-length'] ?? 0) > 40;
      response.statusCode = isLong ? 500 : 200;
      const page = '{"result":[],"page":{}}';
      response.setHeader('content-length', page.length).end(request.method === 'HEAD' ? '' : page);
    });
  });
  const port = anyPort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const plan = { port, count: 1000, seed: 7 };
  const { failure, sent } = await fuzzService(plan);
  expect(failure).toMatch(/^the status is 500 .*Content-Length: \d\d\\r/s);
  expect(await fuzzService(plan)).toMatchObject({ failure, sent });
});
