import type { Socket } from 'node:net';

import { API_PATHS, type ProblemCode, PROBLEMS } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { HttpProblem, problemOf } from '../problems.ts';
import { sendRawProblem } from '../raw-problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where callers reach the service, without a slash at the end; undefined where nobody says. */
    publicUrl: string | undefined;
  }
}

/** Answers every failure as a problem document (RFC 9457). */
export const problemPlugin = fp(
  (app, _options, done) => {
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    app.setNotFoundHandler((request, reply) => sendProblem(nothingHere(), request, reply));
    // Before the body is looked at: whatever it holds, the path is wrong.
    app.addHook('onRequest', (request, _reply, next) =>
      next(request.is404 ? nothingHere() : undefined),
    );
    done();
  },
  { name: 'problem' },
);

const PATHS = Object.values(API_PATHS).join(', ');

function nothingHere(): HttpProblem {
  return new HttpProblem(
    'not_found',
    `Nothing is at this path. The API has ${PATHS} below {base_url}/.`,
  );
}

/**
 * Sends the problem behind an error; what an operator can do something about is logged with its
 * cause.
 */
function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = noteFailure(error, request, 'the request failed');
  request.problemCode = problem.code;
  return reply
    .status(problem.status)
    .headers({
      'cache-control': 'no-store',
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      ...problem.headers,
    })
    .type('application/problem+json')
    .send(JSON.stringify(problem.toDocument(request.id, request.server.publicUrl)));
}

/** The problem behind an error, which is logged where it concerns the operator. */
export function noteFailure(
  error: unknown,
  { log }: Pick<FastifyRequest, 'log'>,
  message: string,
): HttpProblem {
  const problem = problemOf(error);
  if (!concernsOperator(problem, error)) return problem;
  const { code, cause = problem } = problem;
  // These come in great numbers and are all alike, so they are logged without a stack.
  if (UNDER_LOAD.has(code) && cause instanceof Error)
    log.warn({ code, reason: cause.message }, message);
  else {
    const words = cause instanceof QueryFailedError ? cause.databaseWords : undefined;
    log.error({ err: cause, code, ...(words !== undefined && { database_says: words }) }, message);
  }
  return problem;
}

/** Problems of a service that is overloaded or about to stop. */
const UNDER_LOAD: ReadonlySet<ProblemCode> = new Set([
  'no_common_state',
  'overloaded',
  'query_timeout',
  'shutting_down',
]);

/**
 * Problems that are not logged although their status is 5xx: a part of HTTP that the service does
 * not implement, an old version of HTTP, a list that cannot be watched, and a model that is
 * missing, which is logged once when it is lost.
 */
const UNREMARKABLE: ReadonlySet<ProblemCode> = new Set([
  'not_implemented',
  'http_version_too_old',
  'model_unavailable',
]);

/** Problems below 500 whose cause only the operator can find in the database. */
const OF_THE_DATABASE: ReadonlySet<ProblemCode> = new Set([
  'data_error',
  'session_refused',
  'policy_failed',
]);

/** Whether a problem is logged for the operator. That of a caller who disconnected is not. */
function concernsOperator({ code, status }: HttpProblem, error: unknown): boolean {
  if (error instanceof QueryFailedError && error.code === 'cancelled') return false;
  return OF_THE_DATABASE.has(code) || (status >= 500 && !UNREMARKABLE.has(code));
}

/** Answers what Fastify refuses before a route is found, such as a path with a broken escape. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendProblem(error, request, reply);
}

const BY_PARSER_CODE: Readonly<Record<string, 'headers_too_large' | 'request_timeout'>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers what Node's HTTP parser refuses, when no request exists yet, and closes the connection.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  publicUrl?: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = BY_PARSER_CODE[error.code ?? ''] ?? 'bad_request';
  sendRawProblem(socket, new HttpProblem(code, PROBLEMS[code].meaning), publicUrl);
}
