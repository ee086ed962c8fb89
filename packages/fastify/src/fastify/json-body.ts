import type { FastifyInstance, FastifyRequest } from 'fastify';

import { readStrictJson } from '../endpoint/strict-json.ts';
import { checkContentType } from '../endpoint/content-type.ts';

/** Leaves bodies unparsed, for a host whose hooks run before the caller is identified. */
export function rawBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
    parsed(null, body),
  );
}

export function readRawBody(request: FastifyRequest): void {
  const { headers, body } = request;
  checkContentType(headers['content-type'], headers['content-encoding']);
  request.body = readStrictJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
}

export function jsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => {
    try {
      parsed(null, readStrictJson(body as Buffer));
    } catch (error) {
      parsed(error as Error);
    }
  });
  // Before the body is read, so that a wrong type is refused however long the body is.
  // oxlint-disable-next-line max-params -- the signature is Fastify's
  app.addHook('preParsing', (request, _reply, _payload, next) => {
    if (request.method === 'POST' || request.method === 'QUERY')
      checkContentType(request.headers['content-type'], request.headers['content-encoding']);
    next();
  });
}
