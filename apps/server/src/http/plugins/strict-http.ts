import type { IncomingMessage } from 'node:http';

import { HttpProblem } from '@proj/fastify/host';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { sendRawProblem } from '../raw-problem.ts';

/** Single values (RFC 9110 §5.3): Node keeps one of several, a proxy in front may use another. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

const CLOSE = { connection: 'close' };

/** Answers problem documents where Node's parser accepts invalid requests or replies emptily. */
export const strictHttpPlugin = fp(
  (app, _options, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      checkVersion(request.raw);
      checkTransferCoding(request.raw);
      checkFields(request);
      next();
    });
    // Unknown expectations are ignored (RFC 9110 §10.1.1).
    app.server.on('checkExpectation', (request, response) =>
      app.server.emit('request', request, response),
    );
    // Without a listener Node closes the connection silently.
    app.server.on('connect', (_request, connection) =>
      sendRawProblem(connection, notImplemented('CONNECT is not implemented.'), app.publicUrl),
    );
    done();
  },
  { name: 'strict-http' },
);

/** Without a version a request line is HTTP/0.9, whose replies have no status (RFC 9112 §2.3). */
function checkVersion({ httpVersionMajor }: IncomingMessage): void {
  if (httpVersionMajor === 0)
    throw new HttpProblem('bad_request', 'The request line has no version.', { headers: CLOSE });
}

/** Node's parser takes any coding before `chunked` and hands on the coded body (RFC 9112 §6.1). */
function checkTransferCoding({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0') {
    throw new HttpProblem('bad_request', 'HTTP/1.0 has no Transfer-Encoding.', { headers: CLOSE });
  }
  if (coding.trim().toLowerCase() !== 'chunked')
    throw notImplemented('The only transfer coding is chunked.');
}

function notImplemented(detail: string): HttpProblem {
  return new HttpProblem('not_implemented', detail, { headers: CLOSE });
}

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
