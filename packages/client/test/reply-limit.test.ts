import { createClient } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { gzipSync } from 'node:zlib';

import { caught } from './caught.ts';
import { cities, contractService, TOKEN } from './contract-service.ts';
import type { Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const FIRST = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;
const TOO_LONG = {
  name: 'InvalidReplyError',
  message: 'Invalid reply: the body: expected at most 4096 bytes (maxReplyBytes); got more',
};

const start = async (answer: Answer) => startClient(answer, { maxReplyBytes: 4096, retries: 2 });

describe('a reply that is too long', () => {
  it('is refused and read no further when it never ends, and is not asked for again', async () => {
    const closed = Promise.withResolvers<void>();
    const { client, server } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => void response.write('[1],'.repeat(256), () => setImmediate(more));
      response.on('close', () => closed.resolve());
      more();
    });
    expect(await caught(client.query(FIRST))).toMatchObject(TOO_LONG);
    await closed.promise;
    expect(server.requests).toHaveLength(1);
  });

  it('is refused by what it is unpacked', async () => {
    const { client } = await start((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(1_000_000)));
    });
    expect(await caught(client.models())).toMatchObject(TOO_LONG);
  });

  it('may have exactly as many bytes as it is allowed', async () => {
    const { server } = await start(contractService(cities(42)));
    const reading = await fetch(`${server.url}/api/v1/dynamic/models`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { byteLength } = await reading.arrayBuffer();
    const read = async (maxReplyBytes: number) =>
      createClient({ baseUrl: server.url, token: TOKEN, maxReplyBytes }).models();
    expect(await read(byteLength)).toHaveLength(1);
    await expect(read(byteLength - 1)).rejects.toThrow(`at most ${byteLength - 1} bytes`);
  });

  it('is cut short when it is an error', async () => {
    const { client } = await start(
      (_request, response) => void response.writeHead(400).end('x'.repeat(11 * 2 ** 20)),
    );
    expect(await caught(client.query(FIRST))).toMatchObject({
      name: 'ProblemError',
      status: 400,
      code: null,
    });
  });
});
