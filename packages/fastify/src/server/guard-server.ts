import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { PROBLEMS } from '@proj/contract';
import * as z from 'zod';

import { requestId, SILENT } from '../endpoint/ask.ts';
import { problemAnswer } from '../endpoint/problem-answer.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { aFunction, checkedOptions } from '../settings/setting-message.ts';
import { milliseconds } from '../settings/limits.ts';
import { type Exchange, OpenConnections } from './open-connections.ts';
import { notImplemented, violationOf } from './violations.ts';

export interface GuardOptions {
  /** How long callers may take to send a request, in milliseconds. @default 5000 */
  readonly requestTimeoutMs?: number;
  /** Request line and headers. @default 4000 */
  readonly headersTimeoutMs?: number;
  /** How often these are checked. @default 500 */
  readonly checkEveryMs?: number;
  /** How long a connection may take nothing of its replies. @default 30_000 */
  readonly sendTimeoutMs?: number;
  /** Connections were closed because they took nothing of their replies. */
  readonly onSendTimeout?: (connections: number) => void;
  /** Where callers reach the app, without a trailing slash; the types of problems begin with it. */
  readonly publicUrl?: string | undefined;
  /** Default: silent. */
  readonly log?: { info(facts: object, message: string): void };
  /** Leaves requests that are refused to the app. Default: it does not see them. */
  readonly onRefusal?: (request: IncomingMessage, problem: HttpProblem) => void;
  /** Whether a closing server answers requests that still reach it. Default: with 503. */
  readonly answersWhileClosing?: boolean;
}

/** Refuses what it doesn't know: a misspelt limit would be none. */
const optionsSchema = z.strictObject({
  requestTimeoutMs: milliseconds.default(5000),
  headersTimeoutMs: milliseconds.default(4000),
  checkEveryMs: milliseconds.default(500),
  sendTimeoutMs: milliseconds.default(30_000),
  onSendTimeout: aFunction.optional(),
  publicUrl: z.string().optional(),
  log: z.any().optional(),
  onRefusal: aFunction.optional(),
  answersWhileClosing: z.boolean().default(false),
} satisfies Record<keyof GuardOptions, z.ZodType>);

type Limit = 'requestTimeoutMs' | 'headersTimeoutMs' | 'checkEveryMs' | 'sendTimeoutMs';
type Guarding = GuardOptions & Required<Pick<GuardOptions, Limit>>;

export interface ServerGuard {
  /** From now on, each reply closes its connection. */
  drain(): void;
  /** Call it before the server closes. Also closes connections that are not used. */
  beginClosing(): void;
}

/**
 * Holds all requests of a server to what only a server can hold them to. Call it once, after the
 * app listens to its requests and before it listens on an address.
 *
 * @throws {SettingsError} naming each invalid option
 */
export function guardServer(server: Server, given: GuardOptions = {}): ServerGuard {
  const options = checkedOptions(optionsSchema, given) as Guarding;
  const { log, publicUrl, answersWhileClosing, onRefusal } = options;
  limitTimes(server, options);
  const connections = new OpenConnections(server);
  watchReaders(server, connections, options);
  let isClosing = false;
  // Skipping the app's listeners is the cheapest way.
  const listeners = server.listeners('request');
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const admitted = connections.admit({ request, response });
    if (admitted === 'too many')
      log?.info({}, 'closed a connection that sent requests without waiting for replies');
    if (admitted !== true) return;
    const refusal = isClosing && !answersWhileClosing ? closing() : violationOf(request);
    if (refusal !== undefined && onRefusal === undefined)
      sendProblem({ request, response }, refusal, publicUrl);
    else {
      if (refusal !== undefined) onRefusal?.(request, refusal);
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    }
  };
  server.removeAllListeners('request').on('request', onRequest);
  answerUnparsed(server, options);
  return {
    drain: () => connections.drain(),
    beginClosing: () => {
      isClosing = true;
      connections.drain();
      connections.closeUnused();
    },
  };
}

/** Node applies each of these only where all three are set. */
function limitTimes(
  server: Server,
  { requestTimeoutMs, headersTimeoutMs, checkEveryMs }: Guarding,
): void {
  Object.assign(server, {
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: checkEveryMs,
    // Above the idle time of common balancers, which would else send on a closing connection.
    keepAliveTimeout: 72_000,
    // Node's own reply would be empty.
    requireHostHeader: false,
  });
}

const CHECKS_PER_TIMEOUT = 4;

function watchReaders(
  server: Server,
  connections: OpenConnections,
  { sendTimeoutMs, log, onSendTimeout }: Guarding,
): void {
  const timer = setInterval(() => {
    const closed = connections.closeStuck(sendTimeoutMs);
    if (closed === 0) return;
    onSendTimeout?.(closed);
    log?.info({ closed }, 'closed connections that took nothing of their replies');
  }, sendTimeoutMs / CHECKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(timer));
}

function closing(): HttpProblem {
  const headers = { connection: 'close' };
  return new HttpProblem('shutting_down', PROBLEMS.shutting_down.meaning, { headers });
}

/** Answers what the app never sees, which Node answers emptily, or not at all. */
function answerUnparsed(server: Server, options: GuardOptions): void {
  server
    .removeAllListeners('clientError')
    .on('clientError', (error, socket) => answerError(error, socket as Socket, options));
  // Unknown expectations are ignored (RFC 9110 §10.1.1).
  if (server.listenerCount('checkExpectation') === 0)
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  if (server.listenerCount('connect') === 0)
    server.on('connect', (_request, connection) =>
      sendRawProblem(connection, notImplemented('CONNECT is not implemented.'), options),
    );
}

const BY_PARSER_CODE: Readonly<Record<string, 'headers_too_large' | 'request_timeout'>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function answerError(error: NodeJS.ErrnoException, socket: Socket, given: GuardOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = BY_PARSER_CODE[error.code ?? ''] ?? 'bad_request';
  sendRawProblem(socket, new HttpProblem(code, PROBLEMS[code].meaning), given);
}

/** For a request that no app sees. */
function sendProblem(
  { request, response }: Exchange,
  problem: HttpProblem,
  publicUrl?: string,
): void {
  const id = requestId(request.headers['x-request-id']);
  const { status, headers, body } = problemAnswer({ id, log: SILENT }, problem, publicUrl);
  response.writeHead(status, headers).end(body);
}

/** For a connection without a request to answer; closes it. */
function sendRawProblem(connection: Duplex, problem: HttpProblem, given: GuardOptions): void {
  const asked = { id: randomUUID(), log: SILENT };
  const { status, headers, body } = problemAnswer(asked, problem, given.publicUrl);
  given.log?.info({ reqId: asked.id, status, code: problem.code }, 'refused what is no request');
  const sent = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  // Imported, it would load `fetch`, `WebSocket` and all that they need.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body];
  connection.end(lines.join('\r\n'));
}
