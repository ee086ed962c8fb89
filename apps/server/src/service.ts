import { type Catalogue, openEngine } from '@proj/engine';
import pino, { type Logger } from 'pino';

import { type AccessRules, accessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt.ts';
import { temporaryTokenFor } from './access/temporary-token.ts';
import { type App, buildApp } from './app.ts';
import { openAuditLog } from './audit/audit-log.ts';
import { checkAtStart } from './checks/check-settings.ts';
import { KeyProofs } from './checks/key-proofs.ts';
import type { Metrics, MetricsParts } from './http/metrics/open-metrics.ts';
import { createSending } from './http/plugins/slow-readers.ts';
import { explorerWarnings, findExplorer } from './http/routes/explorer-files.ts';
import { Lifecycle } from './lifecycle.ts';
import { openLimits } from './limits/limits.ts';
import { logModelChanges } from './log/model-log.ts';
import { openProcessLog, type ProcessLog } from './log/process-log.ts';
import { type ReloadCause, Reloader } from './reload.ts';
import { engineSettings } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/load.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy } from './settings/secrecy.ts';

/** The service that settings describe. It does not listen yet. */
export interface Service {
  readonly app: App;
  /**
   * What answers `GET /metrics`, on an address of its own; undefined where the settings have none.
   */
  readonly metricsApp: App | undefined;
  /** What is served. */
  readonly catalogue: Catalogue;
  /** The token of this run; undefined where the settings have tokens. */
  readonly temporaryToken: string | undefined;
  /** Lines that an operator should read. */
  readonly warnings: readonly string[];
  /** Reads the settings again, and returns whether they are applied. */
  readonly reload: (cause: ReloadCause) => Promise<boolean>;
  /** Reports from now on that the service is not ready. It still answers. */
  readonly drain: () => void;
  /** Answers what is in flight, then disconnects from the database. */
  readonly close: () => Promise<void>;
}

/** What reaches the service from outside, beside its settings. */
export interface Surroundings {
  /** Reads the settings again. */
  readonly load: () => Promise<LoadedSettings>;
  /** Where log lines go. @default standard output */
  readonly logStream?: ProcessLog;
}

/**
 * Opens the database, checks the settings against it and composes the service.
 *
 * @throws {SettingsError} when the settings are refused
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openService(
  loaded: LoadedSettings,
  { load, logStream: givenLog }: Surroundings,
): Promise<Service> {
  const { settings } = loaded;
  const temporaryToken = temporaryTokenFor(settings);
  const weaknesses = await checkSecrecy(loaded);
  const engine = await openEngine(engineSettings(settings));
  try {
    const leftOut = await checkAtStart(engine, loaded);
    const known = [...weaknesses, ...(await engine.warnings()), ...explorerWarnings(settings)];
    const warnings = [...leftOut, ...known.map((warning) => `warning: ${warning}`)];
    const logStream = givenLog ?? openProcessLog();
    const log = pino({ level: settings.log_level }, logStream);
    logModelChanges(engine, log);

    const openRules = async (now: Settings, jwt?: JwtVerifier): Promise<AccessRules> =>
      accessRules(now, now.token ?? temporaryToken, jwt ?? (await openVerifier(now, log)));
    const authenticator = new Authenticator(engine, await openRules(settings));
    const limits = await openLimits(settings.rate_limits, { log });
    const auditLog = openAuditLog(settings.audit, { log, stdout: logStream });
    const sending = createSending(settings.limits);
    const lifecycle = new Lifecycle();

    const keyProofs = new KeyProofs(engine, log);
    if (settings.verify_keys === 'background') void keyProofs.run(settings);
    const proveKeys = (now: Settings): void =>
      void (now.verify_keys !== 'off' && keyProofs.run(now));

    const metrics = await openMetrics(settings, {
      engine,
      logStream,
      auditLog,
      sending,
      keyProofs,
    });
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
      metrics: metrics?.counters,
      explorer: findExplorer(settings),
    });
    const reloader = new Reloader(
      { engine, authenticator, log, load, openRules, onCatalogue: proveKeys },
      settings,
    );

    return {
      app,
      metricsApp: metrics?.app,
      catalogue: engine.catalogue,
      temporaryToken,
      warnings,
      reload: (cause) => reloader.reload(cause),
      drain: () => lifecycle.drain(),
      close: async () => {
        reloader.close();
        await app.close();
        limits.close();
        authenticator.close();
        await metrics?.app.close();
        await engine.close();
        await logStream.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** What JWTs need is loaded where there are issuers only. */
async function openVerifier({ jwt }: Settings, log: Logger): Promise<JwtVerifier | undefined> {
  if (jwt.length === 0) return undefined;
  const { createJwtVerifier } = await import('./access/jwt.ts');
  return createJwtVerifier(jwt, { log });
}

/** What metrics need is loaded where they are read only. */
async function openMetrics(
  { metrics }: Settings,
  parts: MetricsParts,
): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const module = await import('./http/metrics/open-metrics.ts');
  return module.openMetrics(parts);
}
