import { once } from 'node:events';
import { createServer } from 'node:http';

import { anyPort } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { fuzzService } from '../src/fuzz/fuzz-service.ts';
import { runFuzz } from '../src/fuzz/run-fuzz.ts';

it('the service answers some hundreds of generated requests as it should', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const passed = await runFuzz({ databases: ['sqlite'], count: 500, seed: 4, print });
  expect(lines).toEqual(['seed 4', expect.stringMatching(/^sqlite: 500 requests; 200: \d+/)]);
  expect(passed).toBe(true);
});

it('finds the short request at which a server fails, and finds it again by the seed', async () => {
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
