import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

import { PROBLEMS } from '@proj/contract';

import { type Answer, type Ask, BODY_LIMIT } from '../endpoint/ask.ts';
import type { Pipeline } from '../endpoint/pipeline.ts';
import { notAllowed, NOWHERE, Places, type Route } from '../endpoint/route.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { WebAsk, type WebFacts } from './web-ask.ts';

export interface WebParts {
  readonly routes: readonly Route[];
  readonly pipeline: Pipeline;
  readonly prefix: string;
  /** Sees each request first. */
  readonly observe?: ((ask: Ask, route: Route) => void) | undefined;
}

export function webHandler({ routes, pipeline, prefix, observe }: WebParts) {
  const places = new Places(routes, prefix);
  return async (request: Request, facts?: Omit<WebFacts, 'path' | 'place'>): Promise<Response> => {
    const { pathname: path } = new URL(request.url);
    const place = places.at(path);
    const ask = new WebAsk(request, { ...facts, path, place: place?.path ?? '' });
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = place?.routes.find(({ methods }) => methods.includes(method)) ?? NOWHERE;
    observe?.(ask, route);
    try {
      if (place !== undefined && route === NOWHERE) throw notAllowed(place.routes);
      await pipeline.open(route, ask);
      if (route.methods.includes('POST'))
        Object.assign(ask, pipeline.readBody(await bytesOf(request)));
      return toResponse(ask, await pipeline.answer(route, ask));
    } catch (error) {
      return toResponse(ask, await pipeline.fail(route, ask, error));
    }
  };
}

async function bytesOf({ body, bodyUsed }: Request): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    // Node's stream can be iterated, which the type of the web's does not say.
    for await (const part of (body ?? []) as NodeReadableStream<Uint8Array>) {
      size += part.length;
      if (size > BODY_LIMIT)
        throw new HttpProblem('body_too_large', PROBLEMS.body_too_large.meaning);
      parts.push(part);
    }
  } catch (cause) {
    // That the app has read it is the app's mistake.
    if (bodyUsed || cause instanceof HttpProblem) throw cause;
    throw new HttpProblem('malformed_json', 'The body broke off before its end.', { cause });
  }
  return Buffer.concat(parts);
}

function toResponse(ask: WebAsk, { status, headers, body }: Answer): Response {
  ask.status = status;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    // A response knows no connection.
    if (value !== undefined && name !== 'connection') sent.set(name, value);
  if (body instanceof Readable) {
    body.once('close', () => ask.end(body.readableEnded));
    return new Response(Readable.toWeb(body) as ReadableStream, { status, headers: sent });
  }
  // Nothing says when it was sent.
  ask.end(true);
  const isEmpty = status === 304 || ask.method === 'HEAD' || body === undefined;
  return new Response(isEmpty ? null : body, { status, headers: sent });
}
