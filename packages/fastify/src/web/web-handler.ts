import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

import { PROBLEMS } from '@proj/contract';

import { type Answer, type Ask, BODY_LIMIT } from '../endpoint/ask.ts';
import { checkContentType } from '../endpoint/content-type.ts';
import type { Pipeline } from '../endpoint/pipeline.ts';
import { notAllowed, NOWHERE, type Place, Places, type Route } from '../endpoint/route.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { readStrictJson } from '../endpoint/strict-json.ts';
import { WebAsk, type WebFacts } from './web-ask.ts';

export interface WebParts {
  readonly routes: readonly Route[];
  readonly pipeline: Pipeline;
  /** Precedes the paths, such as `/data`. */
  readonly prefix: string;
  /** Sees each request first. */
  readonly observe?: ((ask: Ask, route: Route) => void) | undefined;
}

/** Answers web requests, with a problem where there is no route. */
export function webHandler({ routes, pipeline, prefix, observe }: WebParts) {
  const places = new Places(routes, prefix);
  return async (
    request: Request,
    facts?: Omit<WebFacts, 'path' | 'parameters'>,
  ): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const place = places.at(pathname);
    const parameters = parametersOf(place, pathname);
    const ask = new WebAsk(request, { ...facts, path: pathname, parameters });
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = place?.routes.find(({ methods }) => methods.includes(method));
    observe?.(ask, route ?? NOWHERE);
    return toResponse(ask, await answerTo(request, ask, { place, route, pipeline }));
  };
}

function parametersOf(place: Place | undefined, pathname: string): WebFacts['parameters'] {
  const asked = pathname.split('/');
  const named = [...(place?.path ?? '').split('/').entries()].filter(([, part]) =>
    part.startsWith(':'),
  );
  return Object.fromEntries(
    named.map(([index, part]) => [part.slice(1), decoded(asked[index] ?? '')] as const),
  );
}

/** A broken escape matches nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Found {
  readonly place: Place | undefined;
  readonly route: Route | undefined;
  readonly pipeline: Pipeline;
}

async function answerTo(
  request: Request,
  ask: WebAsk,
  { place, route = NOWHERE, pipeline }: Found,
): Promise<Answer> {
  try {
    if (place !== undefined && route === NOWHERE) throw notAllowed(place.routes);
    await pipeline.open(route, ask);
    if (route.methods.includes('POST')) ask.body = await readBody(request);
    return await pipeline.answer(route, ask);
  } catch (error) {
    return pipeline.fail(route, ask, error);
  }
}

async function readBody({ headers, body }: Request): Promise<unknown> {
  const coding = headers.get('content-encoding') ?? undefined;
  checkContentType(headers.get('content-type') ?? undefined, coding);
  const parts: Uint8Array[] = [];
  let size = 0;
  // Node's stream can be iterated, which the type of the web's does not say.
  for await (const part of (body ?? []) as NodeReadableStream<Uint8Array>) {
    size += part.length;
    if (size > BODY_LIMIT) throw new HttpProblem('body_too_large', PROBLEMS.body_too_large.meaning);
    parts.push(part);
  }
  return readStrictJson(Buffer.concat(parts));
}

/** Headers of a connection, which a response does not know. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection']);

function toResponse(ask: WebAsk, { status, headers, body }: Answer): Response {
  ask.status = status;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_CONNECTIONS.has(name)) sent.set(name, value);
  if (body instanceof Readable) {
    body.once('close', () => ask.end(body.readableEnded));
    return new Response(Readable.toWeb(body) as ReadableStream, { status, headers: sent });
  }
  // Nothing says when it was sent.
  ask.end(true);
  const isEmpty = status === 304 || ask.method === 'HEAD' || body === undefined;
  return new Response(isEmpty ? null : body, { status, headers: sent });
}
