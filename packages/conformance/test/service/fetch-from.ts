import type { Model } from '../../../cli/test/service/cities.ts';
import { reply } from '../../../cli/test/service/serve.ts';
import type { Behaviour } from '../../../cli/test/service/service.ts';

/** Statuses whose reply has no body. */
const EMPTY = new Set([204, 304]);

/** `fetch` of a service in this process: what it sends and reads, without a connection. */
export function fetchFrom(model: Model, behaviour: Behaviour = {}): typeof fetch {
  return async (...args) => {
    const request = new Request(...args);
    const { method, url, headers } = request;
    const received = {
      method,
      path: new URL(url).pathname,
      headers: { accept: '*/*', ...Object.fromEntries(headers) },
      body: Buffer.from(await request.arrayBuffer()),
    };
    const { status, headers: sent, body } = reply(received, model, behaviour);
    const isEmpty = EMPTY.has(status) || method === 'HEAD';
    return new Response(isEmpty ? null : bodyOf(body), { status, headers: sent });
  };
}

function bodyOf(body: string | AsyncIterable<string>): string | ReadableStream {
  return typeof body === 'string'
    ? body
    : ReadableStream.from(body).pipeThrough(new TextEncoderStream());
}
