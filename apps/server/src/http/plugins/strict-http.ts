import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { HttpProblem } from '../problems.ts';

/** Fields that have one value (RFC 9110 §5.3). Node keeps one of several; a proxy before it may have acted on another. */
const SINGLE_FIELDS = ['host', 'authorization', 'content-type'];

/** Refuses, as problem documents, what Node's parser lets pass or would refuse with an empty reply. */
export const strictHttpPlugin = fp(
  (app, _options, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      checkFields(request);
      next();
    });
    // An expectation that is not known is passed over (RFC 9110 §10.1.1).
    app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
    done();
  },
  { name: 'strict-http' },
);

function checkFields({ raw, headers }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
  for (const field of SINGLE_FIELDS) {
    if (names.indexOf(field) !== names.lastIndexOf(field))
      throw new HttpProblem('bad_request', `${field} is sent more than once.`);
  }
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw new HttpProblem('bad_request', 'Host is required (RFC 9112 §3.2).');
}
