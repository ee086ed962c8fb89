import type { Catalogue, ReplyMemory } from '@proj/engine';
import { OpenWatches, RunningExports } from '@proj/fastify/host';
import type { Logger } from 'pino';

import { type AccessRules, accessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier, JwtVerifierParts } from './access/jwt/jwt.ts';
import { ExplorerSignIn } from './access/oidc/explorer-sign-in.ts';
import { RefusalLog } from './access/refusals.ts';
import type { SignInCode } from './access/sign-in-code.ts';
import { type App, buildApp } from './app.ts';
import { openAuditLog } from './audit/audit-log.ts';
import { KeyProofs } from './checks/key-proofs.ts';
import type { Databases } from './databases/databases.ts';
import { DatabasesHealth } from './served/health.ts';
import type { Metrics, MetricsParts } from './http/metrics/open-metrics.ts';
import type { ServiceMetrics } from './http/metrics/service-metrics.ts';
import { createSending } from './http/plugins/slow-readers.ts';
import { findExplorer } from './http/routes/explorer-files.ts';
import { Lifecycle } from './process/lifecycle.ts';
import { type Limits, openLimits } from './limits/limits.ts';
import type { ServiceCounts } from './limits/counts/service-counts.ts';
import { logChanges, logOf } from './log/database-log.ts';
import type { ProcessLog } from './log/process-log.ts';
import { type PreparedReload, ReloadStep } from './reload-step.ts';
import { type ReloadCause, type Reloaded, Reloader } from './reload.ts';
import { replicasIn } from './settings/databases.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import type { Settings } from './settings/schema.ts';
import type { RequestTracing } from './traces/request-tracing.ts';

/** Does not listen yet. */
export interface ComposedService {
  readonly app: App;
  /** Answers `GET /metrics` on an address of its own, if the settings have one. */
  readonly metricsApp: App | undefined;
  /** Empty until a database has answered. */
  readonly catalogue: () => Catalogue;
  readonly metricsRegistry: ServiceMetrics['registry'] | undefined;
  readonly reload: (cause: ReloadCause) => Promise<boolean>;
  /** Checks settings without applying them; undefined where nothing has changed. */
  readonly prepareReload: (
    loaded: LoadedSettings,
    cause: ReloadCause,
  ) => Promise<PreparedReload | undefined>;
  /** Blocks an address from which another worker got too many invalid tokens. */
  readonly block: Limits['block'];
  /** The latest log position shown to a caller here; undefined if unknown, or without replicas. */
  readonly seenBy: (caller: string) => string | undefined;
  /** Reports not ready from now on, but still answers. */
  readonly drain: () => void;
  /** Ends long replies such as watches, so that nobody waits for their connections. */
  readonly beginClosing: () => void;
  /** Answers in-flight requests, then disconnects from the database. */
  readonly close: () => Promise<void>;
}

export interface ServiceParts {
  readonly settings: Settings;
  /** The token of this run; undefined where the settings have tokens. */
  readonly temporaryToken: string | undefined;
  /** For the sign-in link of the start, if printed. */
  readonly signInCode: SignInCode | undefined;
  readonly load: () => Promise<LoadedSettings>;
  readonly logStream: ProcessLog;
  readonly log: Logger;
  /** Counts for all workers of the service, if it has some. */
  readonly counts: ServiceCounts | undefined;
  /** Large replies together, counted by the engine while it reads. */
  readonly replyMemory: ReplyMemory;
}

/** Settings are checked already, or will be once a database that is away has answered. */
export async function compose(databases: Databases, parts: ServiceParts): Promise<ComposedService> {
  const { engine } = databases;
  const { settings, load, log, logStream, counts, replyMemory } = parts;

  const refusals = new RefusalLog(log);
  const openRules = rulesOpener(parts, { log, onRefusal: refusals.add });
  const authenticator = new Authenticator(engine, await openRules(settings), refusals.add);
  const limits = await openLimits(settings.rate_limits, { log, service: counts });
  const auditLog = openAuditLog(settings.audit, { log, stdout: logStream });
  const sending = createSending(settings.limits, counts?.workers);
  const signIn = new ExplorerSignIn(settings, { fetch: globalThis.fetch, now: Date.now, log });
  const lifecycle = new Lifecycle();
  const keyProofs = new KeyProofs(engine, log);
  const exports = new RunningExports();
  const watches = new OpenWatches(settings.limits.watches / (counts?.workers ?? 1));
  const health = settings.databases && new DatabasesHealth(databases.each);
  const counted = { databases, health, logStream, auditLog, sending, keyProofs, exports, watches };
  const metrics = await openMetrics(settings, counted);
  const tracing = await openTracing(settings, log);
  let { jwt } = settings;
  const issuers = (): string[] => jwt.map(({ issuer }) => issuer);
  const app = await buildApp({
    engine,
    // Until the database has answered, every request with a token gets `database_unavailable`.
    authenticate: (token) => {
      databases.demandServing();
      return authenticator.authenticate(token);
    },
    lifecycle,
    logLevel: settings.log_level,
    logValues: settings.log_values,
    logStream,
    limits,
    sending,
    replyMemory,
    exports,
    watches,
    corsOrigins: settings.cors_origins,
    health,
    hasReplicas: replicasIn(settings).length > 0,
    trustProxy: settings.trust_proxy,
    auditLog,
    auditFailure: settings.audit_failure,
    metrics: metrics?.counters,
    tracing,
    explorer: findExplorer(settings),
    publicUrl: settings.public_url,
    mcp: settings.mcp ? { publicUrl: settings.public_url, issuers } : undefined,
    signInOffer: () => signIn.offer(),
    signInCode: parts.signInCode,
  });
  databases.onOpen(({ name, engine: opened }) => {
    if (settings.verify_keys === 'background') void keyProofs.run(settings);
    logChanges(opened, logOf(name, log));
  });
  const onCatalogue = (now: Settings): void =>
    void (now.verify_keys !== 'off' && keyProofs.run(now));
  const setLogLevel = (level: Settings['log_level']): void => {
    log.level = level;
    app.log.level = level;
  };
  const onApplied = (now: Settings): void => {
    ({ jwt } = now);
    signIn.apply(now);
    watches.recheckAll();
    exports.recheckAll();
  };
  const changed = { databases, authenticator, openRules, setLogLevel, onCatalogue, onApplied };
  const step = new ReloadStep(changed, settings);
  const reloader = new Reloader({ log, attempt: async (cause) => reloadOnce(step, load, cause) });

  return {
    app,
    metricsApp: metrics?.app,
    catalogue: () => engine.catalogue,
    metricsRegistry: metrics?.counters.registry,
    reload: (cause) => databases.reload(() => reloader.reload(cause)),
    prepareReload: (loaded, cause) => step.prepare(loaded, cause),
    block: (owner, resetMs) => limits.block(owner, resetMs),
    seenBy: (caller) => databases.seenBy(caller),
    drain: () => lifecycle.drain(),
    beginClosing: () => lifecycle.beginClosing(),
    close: async () => {
      reloader.close();
      await app.close();
      limits.close();
      authenticator.close();
      signIn.close();
      refusals.close();
      await metrics?.app.close();
      await databases.close();
      await tracing?.close();
      await logStream.close();
    },
  };
}

type OpenRules = (settings: Settings, jwt?: JwtVerifier) => Promise<AccessRules>;

function rulesOpener({ temporaryToken }: ServiceParts, parts: JwtVerifierParts): OpenRules {
  return async (now, jwt) =>
    accessRules(now, now.token ?? temporaryToken, jwt ?? (await openVerifier(now, parts)));
}

/** Loads what JWTs need only if there are issuers. */
async function openVerifier(
  { jwt }: Settings,
  parts: JwtVerifierParts,
): Promise<JwtVerifier | undefined> {
  if (jwt.length === 0) return undefined;
  const { createJwtVerifier } = await import('./access/jwt/jwt.ts');
  return createJwtVerifier(jwt, parts);
}

async function reloadOnce(
  step: ReloadStep,
  load: ServiceParts['load'],
  cause: ReloadCause,
): Promise<Reloaded | undefined> {
  const prepared = await step.prepare(await load(), cause);
  prepared?.apply();
  return prepared;
}

/** Loads what metrics need only if they are on. */
async function openMetrics(
  { metrics }: Settings,
  parts: MetricsParts,
): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const module = await import('./http/metrics/open-metrics.ts');
  return module.openMetrics(parts);
}

/** Loads what traces need only if a collector is named. */
async function openTracing({ traces }: Settings, log: Logger): Promise<RequestTracing | undefined> {
  if (traces?.endpoint === undefined) return undefined;
  const module = await import('./traces/open-tracing.ts');
  return module.openTracing({ ...traces, endpoint: traces.endpoint }, log);
}
