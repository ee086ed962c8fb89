import { createClient, type DynamicQueryClient } from '@proj/client';
import {
  type Answer,
  type FastifyAsk,
  HttpProblem,
  JSON_TYPE,
  type Route,
  type webHandler,
} from '@proj/fastify/host';
import { answerRequest } from '@proj/mcp';
import type { FastifyRequest } from 'fastify';

import { type AddressRules, checkAddress, ownAddress } from '../request/own-address.ts';
import { RunningCalls } from '../mcp/running-calls.ts';
import { traceOf } from '../plugins/tracing.ts';
import { packageVersion } from '../../process/program-files.ts';

/** For requests that never leave the process. */
const INNER_ADDRESS = 'http://localhost';

export interface McpSettings {
  readonly publicUrl: string | undefined;
  readonly issuers: () => readonly string[];
}

type McpRouteParts = McpSettings &
  AddressRules & {
    /** Answers the requests of tools by all steps of a request. */
    readonly handle: ReturnType<typeof webHandler>;
  };

/** `POST /mcp`: tools for agents, which read by requests with the caller's token. */
export function mcpRoute(parts: McpRouteParts): Route<FastifyAsk> {
  const calls = new RunningCalls();
  return {
    methods: ['POST'],
    path: 'mcp',
    access: 'caller',
    check: ({ origin }) => checkAddress(origin, parts),
    answer: async (ask) => {
      calls.noteCancellation(ask);
      const { response, text } = await calls.run(ask, ask.signal, (signal) =>
        answer(parts, { ask, signal }),
      );
      const headers = Object.fromEntries(response.headers);
      return {
        status: response.status,
        headers: { ...headers, 'cache-control': 'private, no-cache' },
        body: text,
      };
    },
    finish: ({ origin }, reply) => nameMetadata(origin, reply, parts),
  };
}

export function mcpMetadataRoutes(parts: McpRouteParts): Route<FastifyAsk>[] {
  return [METADATA_PATH, METADATA_PATH.replace(/\/mcp$/, '')].map((url) => ({
    methods: ['GET'],
    path: url.slice(1),
    access: 'public',
    answer: ({ origin }) => {
      const address = ownAddress(origin, parts);
      const issuers = parts.issuers();
      if (address === undefined || issuers.length === 0)
        throw new HttpProblem('not_found', 'No issuer gives tokens for this service.');
      const headers = { 'cache-control': 'no-cache', 'content-type': JSON_TYPE };
      const body = JSON.stringify(protectedResource({ address, issuers }));
      return { status: 200, headers, body };
    },
  }));
}

/** Tells a caller without a token where to get one. */
function nameMetadata(
  request: FastifyRequest,
  { status, headers }: Answer,
  parts: McpRouteParts,
): void {
  const address = ownAddress(request, parts);
  if (status !== 401 || address === undefined || parts.issuers().length === 0) return;
  // RFC 9728 §5.1
  const metadata = `resource_metadata="${address}${METADATA_PATH}"`;
  headers['www-authenticate'] = `${headers['www-authenticate']}, ${metadata}`;
}

/** Never the caller's URL: an absolute one may hold a login, which `Request` refuses. */
function webRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length') sent.set(name, String(value));
  return new Request(`${INNER_ADDRESS}/mcp`, { method, headers: sent, signal });
}

interface Call {
  readonly ask: FastifyAsk;
  /** Aborts when the caller has left, or cancels the call. */
  readonly signal: AbortSignal;
}

async function answer(
  parts: McpRouteParts,
  call: Call,
): Promise<{ readonly response: Response; readonly text: string }> {
  const { ask, signal } = call;
  const response = await answerRequest(webRequest(ask.origin, signal), {
    body: structuredClone(ask.body),
    version: packageVersion(),
    client: clientFor(parts, call),
  });
  // Concerns the caller's connection to this server only.
  response.headers.delete('connection');
  return { response, text: await response.text() };
}

/** Retries nothing: its own caller decides that. */
function clientFor({ handle }: McpRouteParts, { ask, signal }: Call): DynamicQueryClient {
  const { id, address, log, origin } = ask;
  return createClient({
    baseUrl: INNER_ADDRESS,
    token: (ask.header('authorization') ?? '').replace(/^bearer +/i, '').trim(),
    fetch: (request) => {
      const trace = traceOf(ask);
      if (trace !== undefined) request.headers.set('traceparent', trace.traceparent);
      const ends = AbortSignal.any([request.signal, signal]);
      return handle(new Request(request, { signal: ends }), { origin, id, address, log });
    },
    retries: 0,
    method: 'post',
  });
}

/** Below the address of the service (RFC 9728 §3). */
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

interface ResourceFacts {
  /** Of the service, without a trailing slash. */
  readonly address: string;
  readonly issuers: readonly string[];
}

/** Tells a client where to get a token (RFC 9728 §2). */
function protectedResource({ address, issuers }: ResourceFacts): object {
  return {
    resource: `${address}/mcp`,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    resource_name: 'Dynamic Query',
  };
}
