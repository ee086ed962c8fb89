import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

interface CorsOptions {
  readonly origins: readonly string[];
  /** Whether replies may say which state they show. */
  readonly hasReplicas: boolean;
  /** Agents send headers of their own. */
  readonly servesAgents: boolean;
}

const SENT = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Last-Event-ID',
  'Traceparent',
  'Tracestate',
  'X-Request-Id',
];

const SENT_BY_AGENTS = ['Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version'];

/** What pages of other origins may read of a reply besides its body. */
const EXPOSED = [
  'Accept-Query',
  'Catalogue-Tag',
  'Data-State',
  'Data-Version',
  'ETag',
  'Export-Total',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
  'Deprecation',
  'Sunset',
];

/** Lets pages of the named origins call the service, without credentials: tokens are no cookies. */
export async function allowOrigins(
  app: FastifyInstance,
  { origins, hasReplicas, servesAgents }: CorsOptions,
): Promise<void> {
  // The plugin answers preflight requests on a route of its own, without a token.
  app.addHook('onRoute', (route) => {
    if (route.url === '*') route.config = { ...route.config, access: 'public' };
  });
  app.addHook('onRequest', ({ method, headers }, reply, next) => {
    // Any other OPTIONS is a method that no path has.
    if (method !== 'OPTIONS' || headers['access-control-request-method'] !== undefined) next();
    else reply.callNotFound();
  });
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'QUERY'],
    strictPreflight: false,
    allowedHeaders: [
      ...SENT,
      ...(hasReplicas ? ['Data-At-Least'] : []),
      ...(servesAgents ? SENT_BY_AGENTS : []),
    ],
    exposedHeaders: [
      ...EXPOSED,
      ...(hasReplicas ? ['Data-Age', 'Data-Position'] : []),
      ...(servesAgents ? ['WWW-Authenticate'] : []),
    ],
    maxAge: 600,
  });
}
