import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

/** A proxy that has a statement answered twice, as a pooler may that has lost its place. */
interface OutOfStep {
  readonly port: number;
  readonly connections: () => number;
  /** Doubles the end of the next answer. */
  readonly double: () => void;
}

async function startOutOfStep(target: number): Promise<OutOfStep> {
  const state = { connections: 0, doubles: false };
  const server: Server = createServer((client) => {
    state.connections += 1;
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      client.write(state.doubles ? doubled(chunk) : chunk);
      state.doubles = false;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: () => state.connections,
    double: () => (state.doubles = true),
  };
}

/** Some messages of a server, of which each end of an answer comes twice. */
function doubled(chunk: Buffer): Buffer {
  const messages: Buffer[] = [];
  for (let start = 0; start + 5 <= chunk.length;) {
    const end = start + 1 + chunk.readInt32BE(start + 1);
    const message = chunk.subarray(start, end);
    messages.push(...(message.toString('latin1', 0, 1) === 'C' ? [message, message] : [message]));
    start = end;
  }
  return Buffer.concat(messages);
}

describe('a connection on which more is answered than was asked', () => {
  const postgres = usePostgres(
    'create table open (id int primary key); insert into open values (1)',
  );

  it('is given up, and the statement is asked again on another one', async () => {
    const proxy = await startOutOfStep(Number(new URL(postgres().url).port));
    const url = new URL(postgres().url);
    url.port = String(proxy.port);
    const acceleration = { replyCache: false, totalCache: false };
    const engine = await open(url.href, { acceleration });
    const question = { model: 'open', attributes: ['id'] };
    expect((await ask(engine, question)).records).toEqual([{ id: 1 }]);
    const before = proxy.connections();
    proxy.double();
    expect((await ask(engine, question)).records).toEqual([{ id: 1 }]);
    expect(proxy.connections()).toBeGreaterThan(before);
  });
});
