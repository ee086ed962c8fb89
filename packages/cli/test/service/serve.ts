import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listenOnFreePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import type { Answer, Received } from './answer.ts';
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
      await send(answer(received, model, behaviour), received, response);
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

async function send(
  { status, headers, body }: Answer,
  received: Received,
  response: ServerResponse,
): Promise<void> {
  const given = received.headers['x-request-id'];
  const id = headers['x-request-id'] ?? (typeof given === 'string' ? given : randomUUID());
  response.writeHead(status, { ...headers, 'x-request-id': id });
  if (isPieces(body)) {
    for await (const piece of body) {
      if (response.destroyed) return;
      response.write(piece);
    }
    response.end();
    return;
  }
  const isProblem = typeof body === 'object' && body !== null && 'code' in body;
  response.end(
    typeof body === 'string'
      ? body
      : JSON.stringify(isProblem ? { ...body, request_id: id } : body),
  );
}

function isPieces(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
