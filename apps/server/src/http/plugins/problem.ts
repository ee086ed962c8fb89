import type { IncomingMessage } from 'node:http';

import { API_PATHS } from '@proj/contract';
import { askOf, HttpProblem, problemAnswer, send } from '@proj/fastify/host';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where callers reach the service, without a trailing slash, if known. */
    publicUrl: string | undefined;
  }
}

interface ProblemOptions {
  /** Why a request is refused before anything looks at it, if it is. */
  readonly refusalOf?: (request: IncomingMessage) => HttpProblem | undefined;
}

export const problemPlugin = fp<ProblemOptions>(
  (app, { refusalOf }, done) => {
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    app.setNotFoundHandler((request, reply) => sendProblem(nothingHere(), request, reply));
    // Before the body is read, because any body has the wrong path.
    app.addHook('onRequest', (request, _reply, next) =>
      next(request.is404 ? nothingHere() : refusalOf?.(request.raw)),
    );
    done();
  },
  { name: 'problem' },
);

const PATHS = Object.values(API_PATHS).join(', ');

function nothingHere(): HttpProblem {
  return new HttpProblem(
    'not_found',
    `Nothing is at this path. The API has ${PATHS} below the base URL.`,
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
