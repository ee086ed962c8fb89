import type { IncomingMessage } from 'node:http';

import type { AnsweringEngine, ReplyMemory } from '@proj/engine';
import { type GuardOptions, guardServer } from '@proj/fastify';
import {
  AccessChecks,
  type Ask,
  askOf,
  dataRoutes,
  explorerRoutes,
  type HttpProblem,
  openApiRoutes,
  OpenWatches,
  Pipeline,
  Places,
  type ProgramFiles,
  rawBody,
  type Route,
  requestId,
  RunningExports,
  serve,
  webHandler,
} from '@proj/fastify/host';
import Fastify, { type FastifyInstance, LogController } from 'fastify';

import type { DestinationStream } from 'pino';

import { explorerFacts, type SignInOffer } from './access/oidc/explorer-sign-in.ts';
import type { SignInCode } from './access/sign-in-code.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { McpSettings } from './http/routes/mcp.ts';
import type { DatabasesHealth } from './served/health.ts';
import type { ServiceMetrics } from './http/metrics/service-metrics.ts';
import { type Authenticate, authorize, demandAccessRules } from './http/plugins/access.ts';
import { auditQueries, refuseUnrecorded } from './http/plugins/audit.ts';
import { addressLimits, tokenLimits } from './http/plugins/limits.ts';
import { answerProblems, refuseNowhere, sendProblem } from './http/plugins/problem.ts';
import { warnOfProxies } from './http/plugins/proxy-warning.ts';
import { type Observer, observeRequests } from './http/plugins/observers.ts';
import { logRequest } from './http/plugins/request-log.ts';
import { type Sending, unsentLimits } from './http/plugins/slow-readers.ts';
import { traceOf, traceRequests } from './http/plugins/tracing.ts';
import { callersTurns } from './http/plugins/turns.ts';
import { boundsOf } from './http/query-slot.ts';
import { healthRoutes } from './http/routes/health.ts';
import { problemPageRoutes } from './http/routes/problem-pages.ts';
import { referencePageRoutes } from './http/routes/reference-page.ts';
import type { Lifecycle } from './process/lifecycle.ts';
import { packageVersion } from './process/program-files.ts';
import { createUnlimited, type Limits } from './limits/limits.ts';
import type { ServiceRoute } from './http/service-route.ts';
import type { Settings } from './settings/schema.ts';
import type { RequestTracing } from './traces/request-tracing.ts';

export type App = FastifyInstance;

export interface AppParts {
  readonly engine: AnsweringEngine;
  readonly authenticate: Authenticate;
  readonly lifecycle: Lifecycle;
  /** Asks which of several databases answer; undefined for one. */
  readonly health?: DatabasesHealth | undefined;
  readonly logLevel: string;
  /** Whether the log may hold values of rows, which database errors quote. Default: no. */
  readonly logValues?: boolean | undefined;
  /** Default: standard output, line by line. */
  readonly logStream?: DestinationStream;
  readonly limits?: Limits;
  /** Counts exports, and stops them with the service; default: not read. */
  readonly exports?: RunningExports;
  /** Counts watches, and ends them with the service; default: not read. */
  readonly watches?: OpenWatches;
  /** Bounds callers who do not read their replies. Default: unbounded. */
  readonly sending?: Sending;
  /** Bounds the memory of large replies together. Default: unbounded. */
  readonly replyMemory?: ReplyMemory;
  /** Origins whose pages may call the service. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** When slow senders are cut off. Default: after about 5 seconds. */
  readonly sendersTime?: Pick<
    GuardOptions,
    'requestTimeoutMs' | 'headersTimeoutMs' | 'checkEveryMs'
  >;
  /** Whether replies may name their state for pages to read. Default: no. */
  readonly hasReplicas?: boolean;
  /** Proxies whose forwarded addresses are believed. Default: none. */
  readonly trustProxy?: readonly string[];
  readonly auditLog?: AuditLog | undefined;
  /** Handling of queries while no audit line can be written. Default: answer them. */
  readonly auditFailure?: Settings['audit_failure'] | undefined;
  readonly metrics?: ServiceMetrics | undefined;
  readonly tracing?: RequestTracing | undefined;
  readonly explorer?: ProgramFiles | undefined;
  /** Where callers reach the service, also through a proxy, if known. */
  readonly publicUrl?: string | undefined;
  readonly mcp?: McpSettings | undefined;
  /** For the sign-in link printed at the start, if any. */
  readonly signInCode?: SignInCode | undefined;
  /** How the explorer signs in. Default: not at all. */
  readonly signInOffer?: (() => Promise<SignInOffer | undefined>) | undefined;
}

export async function buildApp(given: AppParts): Promise<App> {
  const parts = { ...given, publicUrl: given.publicUrl?.replace(/\/+$/, '') };
  const { limits = createUnlimited(), corsOrigins: origins = [] } = parts;
  const observe = observerOf(parts);
  const app = bareApp(parts, observe);
  const refusalOf = guardApp(app, parts);
  const pipeline = pipelineOf({ ...parts, limits });
  const routes = await routesOf(app, { ...parts, limits, pipeline, observe });
  const places = new Places(routes);
  observeRequests(app, observe, places);
  app.addHook('onClose', async () => parts.auditLog?.close());
  answerProblems(app, refusalOf);
  warnOfProxies(app);
  if (origins.length > 0) {
    const { allowOrigins } = await import('./http/plugins/cors.ts');
    const servesAgents = parts.mcp !== undefined;
    const hasReplicas = parts.hasReplicas === true;
    await allowOrigins(app, { origins, hasReplicas, servesAgents });
  }
  refuseNowhere(app, places);
  demandAccessRules(app);
  rawBody(app);
  for (const route of routes) serve(app, route, { pipeline, configOf, opensEarly: true });
  return app;
}

/** Refuses by the app what its server refuses, so that it is logged and counted. */
function guardApp(app: App, { lifecycle, sending, sendersTime }: AppParts) {
  const refused = new WeakMap<IncomingMessage, HttpProblem>();
  const guard = guardServer(app.server, {
    ...sendersTime,
    ...(sending && { sendTimeoutMs: sending.timeoutMs }),
    onSendTimeout: (connections) => {
      if (sending !== undefined) sending.timeouts += connections;
    },
    publicUrl: app.publicUrl,
    log: app.log,
    onRefusal: (request, problem) => void refused.set(request, problem),
    // `/readyz` has failed before.
    answersWhileClosing: true,
  });
  lifecycle.onDraining(() => guard.drain());
  lifecycle.onClosing(() => guard.beginClosing());
  app.addHook('preClose', async () => lifecycle.beginClosing());
  return (request: IncomingMessage) => refused.get(request);
}

function observerOf({ metrics, tracing, auditLog }: AppParts): Observer {
  const observers = [
    ...(metrics === undefined ? [] : [metrics.count]),
    ...(tracing === undefined ? [] : [traceRequests(tracing)]),
    logRequest,
    ...(auditLog === undefined ? [] : [auditQueries(auditLog)]),
  ];
  return (ask, observed) => {
    for (const observe of observers) observe(ask, observed);
  };
}

interface LimitedParts extends AppParts {
  readonly limits: Limits;
}

interface RouteParts extends LimitedParts {
  readonly pipeline: Pipeline;
  readonly observe: Observer;
}

async function routesOf({ publicUrl }: App, parts: RouteParts): Promise<ServiceRoute[]> {
  const { explorer, signInOffer, signInCode, mcp, corsOrigins = [] } = parts;
  const data = readingRoutes(parts);
  const routes: ServiceRoute[] = [
    ...data,
    ...healthRoutes(parts),
    ...problemPageRoutes(),
    ...openApiRoutes({ serviceVersion: packageVersion(), publicUrl }),
    ...referencePageRoutes(),
  ];
  if (explorer !== undefined)
    routes.push(
      ...explorerRoutes({
        files: explorer,
        facts: async () => explorerFacts(await signInOffer?.()),
      }),
    );
  if (signInCode !== undefined) {
    const { signInRoute } = await import('./http/routes/sign-in.ts');
    routes.push(signInRoute(signInCode));
  }
  if (mcp !== undefined) {
    const { mcpMetadataRoutes, mcpRoute } = await import('./http/routes/mcp.ts');
    const { pipeline, observe } = parts;
    const handle = webHandler({
      routes: data,
      pipeline,
      prefix: '',
      observe: (ask, { path, reads }) => observe(ask, { route: `/${path}`, reads }),
    });
    const served = { ...mcp, corsOrigins, handle };
    routes.push(mcpRoute(served), ...mcpMetadataRoutes(served));
  }
  return routes;
}

/** What plugins need to know of a route. */
function configOf({ access, reads, isProbe }: ServiceRoute): object {
  return { access, reads, isProbe };
}

function pipelineOf(parts: LimitedParts): Pipeline {
  const { engine, authenticate, limits, sending, auditLog, auditFailure, tracing } = parts;
  const refusesUnrecorded = auditLog !== undefined && auditFailure === 'refuse';
  return new Pipeline({
    engine,
    identify: (ask) => authorize(tokenOf(ask), authenticate),
    stations: [
      addressLimits(limits),
      ...(sending === undefined ? [] : [unsentLimits(sending.unsent)]),
      tokenLimits(limits),
      callersTurns(),
      ...(refusesUnrecorded ? [refuseUnrecorded(auditLog)] : []),
    ],
    within: tracing && ((ask, work) => traceOf(ask)?.run(work) ?? work()),
    publicUrl: parts.publicUrl,
  });
}

function readingRoutes(parts: LimitedParts): Route[] {
  const { engine, authenticate, lifecycle, limits, replyMemory, publicUrl } = parts;
  const { exports = new RunningExports(), watches = new OpenWatches() } = parts;
  const bounds = boundsOf(limits, replyMemory, engine);
  const checks = new AccessChecks((ask) => authorize(tokenOf(ask), authenticate), tokenOf);
  // A stopping process waits neither for long exports nor for watches, which never end.
  lifecycle.onClosing(() => exports.stopAll());
  lifecycle.onClosing(() => watches.stopAll());
  const routes = dataRoutes({ engine, bounds, checks, exports, watches, publicUrl });
  return Object.values(routes).flat();
}

function tokenOf(ask: Ask): string | undefined {
  return ask.header('authorization');
}

const HIDDEN_WORDS = 'hidden, since it may quote values of rows; `log_values: true` logs it';

function bareApp(
  { logLevel, logValues = false, logStream, trustProxy = [], publicUrl }: AppParts,
  observe: Observer,
): FastifyInstance {
  const app = Fastify({
    logger: {
      level: logLevel,
      ...(logStream && { stream: logStream }),
      serializers: { database_says: (words: string) => (logValues ? words : HIDDEN_WORDS) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    requestIdHeader: false,
    // A stopping server answers what still reaches it; `/readyz` has failed before.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    // No route has a schema, so compilers of schemas need not be loaded.
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    frameworkErrors: (error, request, reply) => {
      // No hook sees it.
      observe(askOf(request, reply), { route: undefined });
      void sendProblem(error, request, reply);
    },
  });
  return app.decorate('publicUrl', publicUrl);
}

function noSchemas(): never {
  throw new Error(
    'A route has a schema: the contract reads requests, and replies are written as text.',
  );
}
