import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { checkContentType } from '../endpoint/content-type.ts';
import { readStrictJson } from '../endpoint/strict-json.ts';

/** Leaves bodies unparsed, for a host whose hooks run before the caller is identified. */
export function rawBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
    parsed(null, body),
  );
}

export function checkBodyType({ headers }: FastifyRequest): void {
  checkContentType(headers['content-type'], headers['content-encoding']);
}

export function readBody(request: FastifyRequest, reply: FastifyReply): void {
  const { body } = request;
  try {
    request.body = readStrictJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  } catch (error) {
    // What else the caller sends may be as broken. HTTP/2 has no such header.
    if (request.raw.httpVersionMajor === 1) void reply.header('connection', 'close');
    throw error;
  }
}
