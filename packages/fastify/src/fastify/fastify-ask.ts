import type { ServerResponse } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Answer, Ask, type AskLog, BODY_LIMIT } from '../endpoint/ask.ts';
import { Attached, onReplyEnd } from '../endpoint/attached.ts';
import type { Pipeline } from '../endpoint/pipeline.ts';
import type { Route } from '../endpoint/route.ts';

export class FastifyAsk extends Ask {
  readonly origin: FastifyRequest;
  readonly reply: FastifyReply;
  readonly id: string;
  readonly method: string;
  readonly log: AskLog;
  readonly response: ServerResponse;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    super();
    this.origin = request;
    this.reply = reply;
    this.id = request.id;
    this.method = request.method;
    this.log = request.log;
    this.response = reply.raw;
  }

  get path(): string {
    return this.origin.url.split('?', 1)[0] ?? '';
  }

  get address(): string {
    return this.origin.ip;
  }

  get isHttp10(): boolean {
    return this.origin.raw.httpVersion === '1.0';
  }

  get status(): number {
    return this.reply.statusCode;
  }

  get isWritten(): boolean {
    return this.response.writableEnded;
  }

  get isSent(): boolean {
    // In HTTP/2 a reply whose caller leaves is finished, though nothing has ended it.
    return this.response.writableEnded && this.response.writableFinished;
  }

  get isOver(): boolean {
    // In HTTP/2 only the stream knows.
    const stream = Reflect.get(this.response, 'stream') as ServerResponse | undefined;
    return (stream ?? this.response).destroyed;
  }

  header(name: string): string | undefined {
    return this.origin.headers[name]?.toString();
  }

  parameter(name: string): string {
    const { [name]: value, '*': rest = value } = this.origin.params as Record<string, unknown>;
    return String(rest);
  }

  onEnd(listener: () => void): void {
    onReplyEnd(this.response, listener);
  }
}

const ASKS = new Attached<FastifyRequest, FastifyAsk>();

/** One ask for each request. */
export function askOf(request: FastifyRequest, reply: FastifyReply): FastifyAsk {
  const known = ASKS.get(request);
  if (known !== undefined) return known;
  const ask = new FastifyAsk(request, reply);
  ASKS.set(request, ask);
  return ask;
}

export interface ServeOptions {
  readonly pipeline: Pipeline;
  /** Fastify's `config` of a route. */
  readonly configOf?: (route: Route<FastifyAsk>) => object;
  /** Whether to authorize before the body is read, and not after all hooks. */
  readonly opensEarly?: boolean;
}

/** Answers the errors of a route; only those of the app's own hooks reach its error handler. */
export function serve(
  app: FastifyInstance,
  route: Route<FastifyAsk>,
  { pipeline, configOf, opensEarly = false }: ServeOptions,
): void {
  const fail = async (error: unknown, ask: FastifyAsk): Promise<FastifyReply> =>
    send(ask.reply, await pipeline.fail(route, ask, error));
  const hasBody = route.methods.includes('POST');
  app.route({
    bodyLimit: BODY_LIMIT,
    method: [...route.methods],
    url: `/${route.path}`,
    ...(configOf && { config: configOf(route) }),
    // A wrong type is then refused however long the body is.
    ...(opensEarly && {
      onRequest: (request, reply) => pipeline.open(route, askOf(request, reply)),
    }),
    handler: async (request, reply) => {
      const ask = askOf(request, reply);
      try {
        if (!opensEarly) await pipeline.open(route, ask);
        if (hasBody) readBody(ask, pipeline);
        return send(reply, await pipeline.answer(route, ask));
      } catch (error) {
        return fail(error, ask);
      }
    },
    errorHandler: (error, request, reply) => {
      if (opensEarly || isOfBody(error)) void fail(error, askOf(request, reply));
      else void reply.send(error);
    },
  });
}

/** As Fastify reads it, before a handler. */
function isOfBody(error: unknown): boolean {
  return /^FST_ERR_(CTP|ROUTE)_/.test(String(Reflect.get(Object(error), 'code')));
}

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, headers, body, trailers = {}, beginsEarly } = answer;
  reply.status(status);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) reply.removeHeader(name);
    else if (name !== 'connection' || reply.request.raw.httpVersionMajor === 1)
      reply.header(name, value);
  }
  for (const [name, value] of Object.entries(trailers)) reply.trailer(name, async () => value());
  if (beginsEarly === true) reply.raw.once('pipe', () => reply.raw.flushHeaders());
  return reply.send(body);
}

/** Leaves bodies unparsed, for a host whose hooks run before the caller is identified. */
export function rawBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Parsers are kept by name, and `*` is looked for each time.
  for (const type of ['application/json', '*'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
}

function readBody(ask: FastifyAsk, pipeline: Pipeline): void {
  const { body, raw } = ask.origin;
  try {
    Object.assign(ask, pipeline.readBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0)));
  } catch (error) {
    // What else the caller sends may be as broken. HTTP/2 has no such header.
    if (raw.httpVersionMajor === 1) void ask.reply.header('connection', 'close');
    throw error;
  }
}
