import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Engine, openEngine, SettingsError } from '@proj/engine';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import pino, { type Logger } from 'pino';

import { accessRules, Authenticator } from '../access/authenticator.ts';
import { accessFaults } from '../access/check-roles.ts';
import { createJwtVerifier, type JwtVerifier } from '../access/jwt.ts';
import { makeToken } from '../access/tokens.ts';
import { buildApp } from '../app.ts';
import { type AuditLog, auditLogOver, openAuditFile } from '../audit/audit-log.ts';
import { buildMetricsApp } from '../http/metrics/metrics-app.ts';
import { addLineMetrics } from '../http/metrics/line-metrics.ts';
import { ServiceMetrics } from '../http/metrics/service-metrics.ts';
import { installedExplorer } from '../http/routes/explorer.ts';
import type { Lifecycle } from '../http/routes/health.ts';
import { createLimits } from '../limits/limits.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { Settings } from '../settings/schema.ts';
import { checkSecrecy, isLoopback } from '../settings/secrecy.ts';
import { watchSettings } from '../settings/watch.ts';
import { announcement } from './announcement.ts';
import { listen } from './listen.ts';
import { openProcessLog, type ProcessLog, tolerateBrokenOutput } from './process-log.ts';
import { reportLines } from './report-lines.ts';

/** How long in-flight requests may take after a signal, in milliseconds, before the process ends all the same. */
const GRACE_MS = 30_000;

/** `dynamic-query serve`: opens the database, listens, follows its settings file, and stops in order when it is told to. */
export async function serve(load: () => Promise<LoadedSettings>): Promise<void> {
  tolerateBrokenOutput();
  const loaded = await load();
  const { settings } = loaded;
  const made = hasAccess(settings) ? undefined : tokenForTrying(settings.host);
  const weaknesses = await checkSecrecy(loaded);
  const engine = await openEngine(engineSettings(settings));
  try {
    checkCatalogue(engine, loaded);
    checkAccess(engine, loaded);
    for (const warning of [...weaknesses, ...(await engine.warnings())]) process.stderr.write(`warning: ${warning}\n`);
    const origin = await serveEngine(engine, loaded, { load, everything: settings.token ?? made });
    process.stdout.write(announcement({ origin, catalogue: engine.catalogue, token: made, explorer: settings.explorer }));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Sources {
  readonly load: () => Promise<LoadedSettings>;
  /** The token that may read everything; it stays as it was at the start. */
  readonly everything: string | undefined;
}

/** Listens, and gives the origin at which it does. */
async function serveEngine(engine: Engine, { settings, path }: LoadedSettings, { load, everything }: Sources): Promise<string> {
  const logStream = openProcessLog();
  const log = pino({ level: settings.log_level }, logStream);
  const limits = createLimits(settings.rate_limits, { log });
  const auditLog = auditLogOf(settings, log, logStream);
  const metrics = settings.metrics && new ServiceMetrics(engine);
  if (metrics !== undefined) addLineMetrics({ log: logStream, audit: auditLog }, metrics.registry);
  const access = new Authenticator(engine, accessRules(settings, everything, verifierOf(settings, log)));
  const lifecycle: Lifecycle = { draining: false };
  const app = await buildApp({
    engine,
    authenticate: (token) => access.authenticate(token),
    lifecycle,
    logLevel: settings.log_level,
    logStream,
    limits,
    corsOrigins: settings.cors_origins,
    trustProxy: settings.trust_proxy,
    auditLog,
    auditFailure: settings.audit_failure,
    metrics,
    explorer: explorerOf(settings),
  });
  app.addHook('onClose', () => {
    limits.close();
    access.close();
  });
  await listenAll(app, settings, metrics);
  const unwatch = watchSettings(path, () => void reload({ app, engine, access, everything, load }));
  stopOnSignal({ app, engine, lifecycle, unwatch, logStream, drainMs: settings.limits.drain_ms });
  return originOf(app);
}

/** Metrics are there before the first request, and until the last one is answered. */
async function listenAll(app: FastifyInstance, settings: Settings, metrics: ServiceMetrics | undefined): Promise<void> {
  try {
    if (metrics !== undefined && settings.metrics !== undefined) {
      const metricsApp = await buildMetricsApp(metrics.registry);
      app.addHook('onClose', () => metricsApp.close());
      await listen(metricsApp, settings.metrics, 'metrics.port');
    }
    await listen(app, settings, 'port');
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Queries need no page, so that one which is not built is worth a warning only. */
function explorerOf({ explorer }: Settings): string | undefined {
  if (!explorer) return undefined;
  const directory = installedExplorer();
  if (existsSync(directory)) return directory;
  process.stderr.write(`warning: explorer: it is not built, so that / shows nothing (${directory}).\n`);
  return undefined;
}

function auditLogOf({ audit }: Settings, log: Logger, stdout: ProcessLog): AuditLog | undefined {
  if (audit === undefined) return undefined;
  return audit === 'stdout' ? auditLogOver(stdout, stdout.flush) : openAuditFile(audit, log);
}

/** Whether the settings let anybody in. */
function hasAccess({ token, tokens, jwt }: Settings): boolean {
  return token !== undefined || tokens.length > 0 || jwt.length > 0;
}

function verifierOf({ jwt }: Settings, log: Logger): JwtVerifier | undefined {
  return jwt.length === 0 ? undefined : createJwtVerifier(jwt, { log });
}

interface Reloadable extends Sources {
  readonly app: FastifyInstance;
  readonly engine: Engine;
  readonly access: Authenticator;
}

/** Serves the models, roles and tokens that the settings now name. What is wrong is logged, and the old ones stay. */
async function reload({ app, engine, access, everything, load }: Reloadable): Promise<void> {
  try {
    const loaded = await load();
    const { settings, place } = loaded;
    await engine.reload(engineSettings(settings));
    checkAccess(engine, loaded);
    access.replace(accessRules(settings, everything, access.rules.jwt));
    for (const line of reportLines(engine.reports, place)) app.log.warn(line);
    app.log.info({ models: engine.catalogue.size }, 'the models were read again');
  } catch (err) {
    app.log.error({ err }, 'the models could not be read again; the old ones stay');
  }
}

/** On a loopback address anybody may try the service out; further away somebody must have chosen a token. */
function tokenForTrying(host: string): string {
  if (isLoopback(host)) return makeToken();
  throw new SettingsError(
    `host: ${host} can be reached from other machines, and no token is set. Set DYNAMIC_QUERY_TOKEN, or listen on 127.0.0.1.`,
  );
}

function checkCatalogue({ catalogue, reports }: Engine, { settings: { expose }, place }: LoadedSettings): void {
  const wanted = reports.filter((report) => report.listed);
  if (wanted.length > 0) throw new SettingsError(reportLines(wanted, place).join('\n'));
  for (const line of reportLines(reports, place)) process.stderr.write(`left out: ${line}\n`);
  if (catalogue.size === 0)
    throw new SettingsError(
      expose === 'all'
        ? 'models: none is exposed. The database has no table or view that has a unique key.'
        : 'models: none is exposed. List models in the settings file, or pass --expose all to serve every table that has a key.',
    );
}

/** @throws {SettingsError} when roles or tokens do not fit the catalogue. */
function checkAccess({ catalogue }: Engine, { settings, place }: LoadedSettings): void {
  const faults = accessFaults(settings, catalogue);
  if (faults.length > 0) throw new SettingsError(reportLines(faults, place).join('\n'));
}

interface Stoppable {
  readonly app: FastifyInstance;
  readonly engine: Engine;
  readonly lifecycle: Lifecycle;
  readonly unwatch: () => void;
  readonly logStream: ProcessLog;
  readonly drainMs: number;
}

/** Readiness falls first, the balancer looks away, then the server closes: no request is lost. Ctrl-C does not wait. */
function stopOnSignal({ app, engine, lifecycle, unwatch, logStream, drainMs }: Stoppable): void {
  closeWithGrace({ delay: GRACE_MS + drainMs, logger: app.log }, async ({ signal, err }) => {
    if (err !== undefined) app.log.fatal({ err }, 'an unforeseen fault ends the process');
    lifecycle.draining = true;
    unwatch();
    if (signal === 'SIGTERM') await sleep(drainMs);
    await app.close();
    await engine.close();
    await logStream.flush();
  });
}

function originOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
