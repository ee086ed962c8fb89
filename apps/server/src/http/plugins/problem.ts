import type { Socket } from 'node:net';

import { API_PATHS, PROBLEMS } from '@proj/contract';
import { askOf, HttpProblem, problemAnswer, send } from '@proj/fastify/host';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { sendRawProblem } from '../raw-problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where callers reach the service, without a trailing slash, if known. */
    publicUrl: string | undefined;
  }
}

export const problemPlugin = fp(
  (app, _options, done) => {
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    app.setNotFoundHandler((request, reply) => sendProblem(nothingHere(), request, reply));
    // Before the body is read, because any body has the wrong path.
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

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, problemAnswer(askOf(request, reply), error, request.server.publicUrl));
}

/** For what Fastify refuses before finding a route, such as a path with a broken escape. */
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

/** For what Node's HTTP parser refuses, before a request exists. Closes the connection. */
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
