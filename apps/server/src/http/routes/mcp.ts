import { createClient, type DynamicQueryClient } from '@proj/client';
import { answerRequest } from '@proj/mcp';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { innerFetch } from '../mcp/inner-fetch.ts';
import { type AddressRules, checkAddress, ownAddress } from '../request/own-address.ts';
import { RunningCalls } from '../mcp/running-calls.ts';
import { METADATA_PATH, metadataParameter, protectedResource } from '../mcp/protected-resource.ts';
import { HttpProblem } from '../problems.ts';
import { packageVersion } from '../../process/package-version.ts';
import { disconnectSignal } from '../request/disconnect-signal.ts';

/** Where a request is that never leaves the process. */
const INNER_ADDRESS = 'http://localhost';

/** How agents are served. */
export interface McpSettings {
  readonly publicUrl: string | undefined;
  /** The issuers whose tokens are taken now. */
  readonly issuers: () => readonly string[];
}

type McpRouteParts = McpSettings & AddressRules;

/**
 * `POST /mcp`: tools for agents. Each reads by requests of its own with the token of its caller,
 * which meet all that any other request of that caller meets.
 */
export function mcpRoutes(app: FastifyInstance, parts: McpRouteParts): void {
  const calls = new RunningCalls();
  app.route({
    method: 'POST',
    url: '/mcp',
    config: { access: 'token' },
    onRequest: async (request) => checkAddress(request, parts),
    onSend: async (request, reply) => nameMetadata({ request, reply }, parts),
    handler: async (request, reply) => {
      calls.noteCancellation(request);
      const { response, text } = await calls.run(request, disconnectSignal(reply), (signal) =>
        answer(app, { request, signal }),
      );
      return reply
        .status(response.status)
        .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'private, no-cache' })
        .send(text);
    },
  });
  for (const url of [METADATA_PATH, METADATA_PATH.replace(/\/mcp$/, '')])
    app.get(url, { config: { access: 'public' } }, async (request, reply) => {
      const address = ownAddress(request, parts);
      const issuers = parts.issuers();
      if (address === undefined || issuers.length === 0)
        throw new HttpProblem('not_found', 'No issuer gives tokens for this service.');
      void reply.header('cache-control', 'no-cache');
      return reply.send(protectedResource({ address, issuers }));
    });
}

/** Adds to a refusal for want of a token where a client can get one. */
function nameMetadata(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  parts: McpRouteParts,
): void {
  const address = ownAddress(request, parts);
  if (reply.statusCode !== 401 || address === undefined || parts.issuers().length === 0) return;
  const challenge = String(reply.getHeader('www-authenticate'));
  void reply.header('www-authenticate', `${challenge}, ${metadataParameter(address)}`);
}

/** Its URL is never the caller's: one in absolute form may hold a login, which no request may. */
function webRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length') sent.set(name, String(value));
  return new Request(`${INNER_ADDRESS}/mcp`, { method, headers: sent, signal });
}

interface Call {
  readonly request: FastifyRequest;
  readonly signal: AbortSignal;
}

async function answer(
  app: FastifyInstance,
  call: Call,
): Promise<{ readonly response: Response; readonly text: string }> {
  const { request, signal } = call;
  const response = await answerRequest(webRequest(request, signal), {
    body: request.body,
    version: packageVersion(),
    client: clientFor(app, call),
  });
  // Whether the connection stays is between the caller and this server.
  response.headers.delete('connection');
  return { response, text: await response.text() };
}

/** A client that reads as the caller. It repeats nothing: its own caller decides that. */
function clientFor(
  { server }: Pick<FastifyInstance, 'server'>,
  { request, signal }: Call,
): DynamicQueryClient {
  const { ip, id, trace, headers } = request;
  const own = { 'x-request-id': id, ...(trace && { traceparent: trace.traceparent }) };
  return createClient({
    baseUrl: INNER_ADDRESS,
    token: (headers.authorization ?? '').replace(/^bearer +/i, '').trim(),
    fetch: innerFetch(server, { ip, headers: own, signal }),
    retries: 0,
    method: 'post',
  });
}
