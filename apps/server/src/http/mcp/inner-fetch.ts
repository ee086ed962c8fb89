import { once } from 'node:events';
import { type IncomingMessage, request as startRequest, type Server } from 'node:http';
import { duplexPair, Readable } from 'node:stream';

export interface InnerCaller {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the caller has disconnected. */
  readonly signal: AbortSignal;
}

/** Asks this process over a connection in memory, which the server treats like any other. */
export function innerFetch(server: Server, caller: InnerCaller) {
  return async (request: Request): Promise<Response> => {
    const body = Buffer.from(await request.arrayBuffer());
    const { pathname, search } = new URL(request.url);
    const [near, far] = duplexPair();
    Object.defineProperty(far, 'remoteAddress', { value: caller.ip });
    const outgoing = startRequest({
      method: request.method,
      path: pathname + search,
      headers: { ...Object.fromEntries(request.headers), ...caller.headers, connection: 'close' },
      createConnection: () => near,
      signal: AbortSignal.any([request.signal, caller.signal]),
    });
    server.emit('connection', far);
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return responseOf(incoming);
  };
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct))
    for (const one of value ?? []) headers.append(name, one);
  const status = incoming.statusCode ?? 500;
  const hasBody = status !== 204 && status !== 304;
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null;
  return new Response(body, { status, headers });
}
