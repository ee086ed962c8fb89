import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenOnFreePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

/** One request as it reached the server. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** A server of one test. */
export interface TestServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ReceivedRequest[];
}

/** Starts a server on 127.0.0.1 that stops with the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: await text(request) };
      requests.push(received);
      answer(received, response);
    };
    void receive();
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, requests };
}

/** Answers the first requests from the list, and every later one like the last of them. */
export function inTurn(first: Answer, ...later: Answer[]): Answer {
  const answers = [first, ...later];
  return (request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(request, response);
  };
}

/** Answers with a status, headers and a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return raw(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

/** Answers with a status, headers and this very text. */
export function raw(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** Answers never. */
export const silence: Answer = () => undefined;

/** Breaks the connection off without an answer. */
export const hangUp: Answer = (_request, response) => void response.destroy();
