import { existsSync } from 'node:fs';

import { type Catalogue, type Engine, openEngine, SettingsError } from '@proj/engine';
import type { FastifyInstance } from 'fastify';
import pino, { type Logger } from 'pino';

import { accessRules, Authenticator } from './access/authenticator.ts';
import { createJwtVerifier, type JwtLog, type JwtVerifier } from './access/jwt.ts';
import { generateToken } from './access/tokens.ts';
import { buildApp } from './app.ts';
import { type AuditLog, auditLogOver, openAuditFile } from './audit/audit-log.ts';
import { checkAccess, checkCatalogue, checkDeclaredKeys } from './check-settings.ts';
import { buildMetricsApp } from './http/metrics/metrics-app.ts';
import { addKeyMetrics } from './http/metrics/key-metrics.ts';
import { addLineMetrics } from './http/metrics/line-metrics.ts';
import { addSendingMetrics } from './http/metrics/sending-metrics.ts';
import { ServiceMetrics } from './http/metrics/service-metrics.ts';
import { createSending } from './http/plugins/slow-readers.ts';
import { installedExplorer } from './http/routes/explorer.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLimits } from './limits/limits.ts';
import { KeyProofs } from './key-proofs.ts';
import { logModelChanges } from './model-log.ts';
import { openProcessLog, type ProcessLog } from './process-log.ts';
import { Reloader } from './reload.ts';
import { engineSettings } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/load.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy, isLoopback } from './settings/secrecy.ts';

/** The service that settings describe. It does not listen yet. */
export interface Service {
  readonly app: FastifyInstance;
  /**
   * What answers `GET /metrics`, on an address of its own; undefined where the settings have none.
   */
  readonly metricsApp: FastifyInstance | undefined;
  readonly lifecycle: Lifecycle;
  readonly reloader: Reloader;
  /** What is served. */
  readonly catalogue: Catalogue;
  /** A token that was made for this run; undefined where the settings let somebody in. */
  readonly temporaryToken: string | undefined;
  /** Lines that an operator should read. */
  readonly warnings: readonly string[];
  /** Answers what is in flight, then leaves the database. */
  close(): Promise<void>;
}

/** What reaches the service from outside, beside its settings. */
export interface Surroundings {
  /** Reads the settings again. */
  readonly load: () => Promise<LoadedSettings>;
  /** Where log lines go. @default standard output */
  readonly logStream?: ProcessLog;
}

interface ServiceParts extends Surroundings {
  readonly engine: Engine;
  readonly settings: Settings;
  readonly temporaryToken: string | undefined;
}

/**
 * Opens the database, checks the settings against it and composes the service.
 *
 * @throws {SettingsError} when the settings are refused
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openService(
  loaded: LoadedSettings,
  surroundings: Surroundings,
): Promise<Service> {
  const { settings } = loaded;
  const temporaryToken = hasAccess(settings) ? undefined : createTemporaryToken(settings.host);
  const weaknesses = await checkSecrecy(loaded);
  const engine = await openEngine(engineSettings(settings));
  try {
    const leftOut = checkCatalogue(engine, loaded);
    checkAccess(engine, loaded);
    if (settings.verify_keys === 'start') await checkDeclaredKeys(engine, loaded);
    const known = [...weaknesses, ...(await engine.warnings()), ...explorerWarnings(settings)];
    const warnings = [...leftOut, ...known.map((warning) => `warning: ${warning}`)];
    const composed = await compose({ engine, settings, temporaryToken, ...surroundings });
    return { ...composed, catalogue: engine.catalogue, temporaryToken, warnings };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

type Composed = Pick<Service, 'app' | 'metricsApp' | 'lifecycle' | 'reloader' | 'close'>;

async function compose(parts: ServiceParts): Promise<Composed> {
  const { engine, settings, load, temporaryToken, logStream = openProcessLog() } = parts;
  const log = pino({ level: settings.log_level }, logStream);
  const rulesOf = (now: Settings, jwt = verifierOf(now, log)) =>
    accessRules(now, now.token ?? temporaryToken, jwt);
  logModelChanges(engine, log);
  const authenticator = new Authenticator(engine, rulesOf(settings));
  const limits = createLimits(settings.rate_limits, { log });
  const auditLog = auditLogOf(settings, log, logStream);
  const sending = createSending(settings.limits);
  const metrics = settings.metrics && new ServiceMetrics(engine);
  if (metrics !== undefined) addLineMetrics({ log: logStream, audit: auditLog }, metrics.registry);
  if (metrics !== undefined) addSendingMetrics(sending, metrics.registry);
  const keyProofs = new KeyProofs(engine, log);
  if (metrics !== undefined) addKeyMetrics(keyProofs, metrics.registry);
  if (settings.verify_keys === 'background') void keyProofs.run(settings);
  const metricsApp = metrics && (await buildMetricsApp(metrics.registry));
  const lifecycle = new Lifecycle();
  const app = await buildApp({
    engine,
    authenticate: (token) => authenticator.authenticate(token),
    lifecycle,
    logLevel: settings.log_level,
    logStream,
    limits,
    sending,
    corsOrigins: settings.cors_origins,
    trustProxy: settings.trust_proxy,
    auditLog,
    auditFailure: settings.audit_failure,
    metrics,
    explorer: explorerOf(settings),
  });
  app.addHook('onClose', async () => {
    limits.close();
    authenticator.close();
    await metricsApp?.close();
  });
  const reloaded = (now: Settings): void => void (now.verify_keys !== 'off' && keyProofs.run(now));
  const reloader = new Reloader({ engine, authenticator, log, load, rulesOf, reloaded }, settings);
  const close = async (): Promise<void> => {
    reloader.close();
    await app.close();
    await engine.close();
    await logStream.flush();
  };
  return { app, metricsApp, lifecycle, reloader, close };
}

/** Whether the settings let anybody in. */
function hasAccess({ token, tokens, jwt }: Settings): boolean {
  return token !== undefined || tokens.length > 0 || jwt.length > 0;
}

/**
 * On a loopback address anybody may try the service out; further away somebody must have chosen a
 * token.
 */
function createTemporaryToken(host: string): string {
  if (isLoopback(host)) return generateToken();
  throw new SettingsError(
    `host: ${host} can be reached from other machines, and no token is set. Set DYNAMIC_QUERY_TOKEN, or listen on 127.0.0.1.`,
  );
}

function verifierOf({ jwt }: Settings, log: JwtLog): JwtVerifier | undefined {
  return jwt.length === 0 ? undefined : createJwtVerifier(jwt, { log });
}

function auditLogOf({ audit }: Settings, log: Logger, stdout: ProcessLog): AuditLog | undefined {
  if (audit === undefined) return undefined;
  return audit === 'stdout' ? auditLogOver(stdout, stdout.flush) : openAuditFile(audit, log);
}

/** The folder of the explorer, where it is wanted and built. */
function explorerOf({ explorer }: Settings): string | undefined {
  const directory = installedExplorer();
  return explorer && existsSync(directory) ? directory : undefined;
}

/** Queries need no page, so that one which is not built is worth a warning only. */
function explorerWarnings(settings: Settings): string[] {
  if (!settings.explorer || explorerOf(settings) !== undefined) return [];
  return [`explorer: it is not built, so that / shows nothing (${installedExplorer()}).`];
}
