import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { HttpProblem } from '../problems.ts';

/** Fields that have one value (RFC 9110 §5.3). Node keeps one of several; a proxy before it may have acted on another. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

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
  const sent = new Set<string>();
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index]?.toLowerCase() ?? '';
    if (!SINGLE_FIELDS.has(name)) continue;
    if (sent.has(name)) throw new HttpProblem('bad_request', `${name} is sent more than once.`);
    sent.add(name);
  }
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw new HttpProblem('bad_request', 'Host is required (RFC 9112 §3.2).');
}
