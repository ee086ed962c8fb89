import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { cities, contractService } from './contract-service.ts';
import { type Answer, inTurn } from './http-server.ts';
import { startClient } from './start-client.ts';

const LIST = { model: 'cities', attributes: ['id'] } as const;
const PAGED = { ...LIST, size: 10 } as const;

/** Tells when a reply has begun, and when its connection is closed. */
function hanging(begin: Answer) {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const answer: Answer = (request, response) => {
    response.on('close', () => closed.resolve());
    begin(request, response);
    begun.resolve();
  };
  return { answer, begun: begun.promise, closed: closed.promise };
}

const STATE: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: list\ndata: {"total":"1"}\n\n');
};

const BEGUN_EXPORT: Answer = (_request, response) => {
  const headers = { 'content-type': 'application/jsonl', 'export-total': '2' };
  response.writeHead(200, headers).write('{"id":1}\n');
};

it.each([
  ['a watch', 'watch'],
  ['a walk over pages', 'pages'],
  ['a walk over records', 'records'],
  ['an export', 'export'],
] as const)('%s ends when it is left while it waits', async (_what, method) => {
  const begin = { watch: STATE, export: BEGUN_EXPORT, pages: () => {}, records: () => {} }[method];
  const { answer, begun, closed } = hanging(begin);
  const isWalk = method === 'pages' || method === 'records';
  const { client } = await startClient(
    isWalk ? inTurn(contractService(cities(11)), answer) : answer,
  );
  const items: AsyncIterable<unknown> = await {
    watch: () => client.watch(LIST),
    pages: () => client.pages(PAGED, { concurrency: 1 }),
    records: () => client.records(PAGED, { concurrency: 1 }),
    export: async () => client.export(LIST),
  }[method]();
  const walk = items[Symbol.asyncIterator]();
  for (let item = 0; item < (method === 'records' ? 10 : 1); item++) await walk.next();
  const next = walk.next();
  await begun;
  expect(await walk.return?.()).toEqual({ done: true, value: undefined });
  expect(await next).toEqual({ done: true, value: undefined });
  await expect(closed).resolves.toBeUndefined();
  expect(await walk.next()).toEqual({ done: true, value: undefined });
});

it('a watch ends with the stream that is made of it', async () => {
  const { answer, begun, closed } = hanging(STATE);
  const { client } = await startClient(answer);
  const stream = Readable.from(client.watch(LIST));
  const first = Promise.withResolvers<unknown>();
  stream.on('data', first.resolve);
  await begun;
  expect(await first.promise).toMatchObject({ total: 1n });
  stream.destroy();
  await expect(closed).resolves.toBeUndefined();
});
