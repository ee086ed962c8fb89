import type { IncomingMessage } from 'node:http';

import { API_PATHS } from '@proj/contract';
import { askOf, HttpProblem, notAllowed, Places, problemAnswer, send } from '@proj/fastify/host';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where callers reach the service, without a trailing slash, if known. */
    publicUrl: string | undefined;
  }
}

/** @param refusalOf why a request is refused before anything looks at it, if it is */
export function answerProblems(
  app: FastifyInstance,
  refusalOf: (request: IncomingMessage) => HttpProblem | undefined = () => undefined,
): void {
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.addHook('onRequest', (request, _reply, next) => next(refusalOf(request.raw)));
}

/** Before the body is read, because any has the wrong path. Pages of other origins may read why. */
export function refuseNowhere(app: FastifyInstance, places: Places): void {
  const refusalOf = (request: FastifyRequest, reply: FastifyReply): HttpProblem => {
    const place = places.at(askOf(request, reply).path);
    return place ? notAllowed(place.routes) : nothingHere();
  };
  app.setNotFoundHandler((request, reply) =>
    sendProblem(refusalOf(request, reply), request, reply),
  );
  app.addHook('onRequest', (request, reply, next) =>
    next(request.is404 ? refusalOf(request, reply) : undefined),
  );
}

const PATHS = Object.values(API_PATHS).join(', ');

function nothingHere(): HttpProblem {
  return new HttpProblem(
    'not_found',
    `Nothing is at this path. The API has ${PATHS} below the base URL.`,
  );
}

/** Also what Fastify refuses before finding a route, such as a path with a broken escape. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return send(reply, problemAnswer(askOf(request, reply), error, request.server.publicUrl));
}
