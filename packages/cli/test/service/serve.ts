import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listenOnFreePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import type { Received } from './answer.ts';
import type { Model } from './cities.ts';
import { answer, type Behaviour } from './service.ts';

/** A service of one test. */
export interface TestService {
  readonly url: string;
  /** The bodies of the queries so far. */
  readonly queries: readonly string[];
}

/** Starts a service on 127.0.0.1 that stops with the test. */
export async function serve(model: Model, behaviour: Behaviour = {}): Promise<TestService> {
  const queries: string[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: await buffer(request) };
      if (method !== 'GET') queries.push(received.body.toString());
      await behaviour.until?.(received);
      await send(reply(received, model, behaviour), response);
    };
    receive().catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, queries };
}

/** What goes over the wire: text, or pieces of it as they come. */
export interface SentReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
}

/** The reply to a request, with its id. */
export function reply(received: Received, model: Model, behaviour: Behaviour): SentReply {
  const { status, headers, body } = answer(received, model, behaviour);
  const given = received.headers['x-request-id'];
  const id = headers['x-request-id'] ?? (typeof given === 'string' ? given : randomUUID());
  return { status, headers: { ...headers, 'x-request-id': id }, body: sentBody(body, id) };
}

function sentBody(body: unknown, id: string): SentReply['body'] {
  if (isPieces(body) || typeof body === 'string') return body;
  const isProblem = typeof body === 'object' && body !== null && 'code' in body;
  return JSON.stringify(isProblem ? { ...body, request_id: id } : body);
}

async function send({ status, headers, body }: SentReply, response: ServerResponse): Promise<void> {
  response.writeHead(status, { ...headers });
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  for await (const piece of body) {
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}

function isPieces(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
