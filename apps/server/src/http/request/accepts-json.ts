import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpProblem } from '../problems.ts';

/** Refuses a caller that takes no JSON (RFC 9110 §12.5.1), before anything is done for it. */
export function acceptsJson(request: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  if (request.type(['application/json']) === false) {
    throw new HttpProblem('not_acceptable', 'This path answers with application/json.');
  }
  next();
}
