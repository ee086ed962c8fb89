import type { IncomingMessage } from 'node:http';

import { API_PATHS } from '@proj/contract';
import { askOf, HttpProblem, notAllowed, Places, problemAnswer, send } from '@proj/fastify/host';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where callers reach the service, without a trailing slash, if known. */
    publicUrl: string | undefined;
  }
}

interface ProblemOptions {
  /** Why a request is refused before anything looks at it, if it is. */
  readonly refusalOf?: (request: IncomingMessage) => HttpProblem | undefined;
  /** Default: no path has other methods. */
  readonly places?: Places;
}

/** Answers what has no route before the body is read, because any body has the wrong path. */
export function answerProblems(
  app: FastifyInstance,
  { refusalOf, places = new Places([]) }: ProblemOptions = {},
): void {
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const place = places.at(askOf(request, reply).path);
    return sendProblem(place ? notAllowed(place.routes) : nothingHere(), request, reply);
  });
  app.addHook('onRequest', (request, reply, next) => {
    const isNowhere = request.is404 && places.at(askOf(request, reply).path) === undefined;
    next(isNowhere ? nothingHere() : refusalOf?.(request.raw));
  });
}

/** For paths that have routes of other methods only. Pages of other origins may read why. */
export function refuseMethods(app: FastifyInstance, places: Places): void {
  app.addHook('onRequest', (request, reply, next) => {
    const place = request.is404 ? places.at(askOf(request, reply).path) : undefined;
    next(place && notAllowed(place.routes));
  });
}

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
