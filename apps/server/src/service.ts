import { openEngine } from '@proj/engine';

import { temporaryTokenFor } from './access/temporary-token.ts';
import { checkAtStart } from './checks/check-settings.ts';
import { followWarnings } from './checks/follow.ts';
import { compose, type ComposedService } from './compose.ts';
import { explorerWarnings } from './http/routes/explorer-files.ts';
import { openProcessLog, type ProcessLog } from './log/process-log.ts';
import { engineSettings } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/load.ts';
import { checkSecrecy } from './settings/secrecy.ts';

/** The service that settings describe. It does not listen yet. */
export interface Service extends ComposedService {
  /** The token of this run; undefined where the settings have tokens. */
  readonly temporaryToken: string | undefined;
  /** Lines that an operator should read. */
  readonly warnings: readonly string[];
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
  { load, logStream }: Surroundings,
): Promise<Service> {
  const { settings } = loaded;
  const temporaryToken = temporaryTokenFor(settings);
  const weaknesses = await checkSecrecy(loaded);
  const engine = await openEngine(engineSettings(settings));
  try {
    const leftOut = await checkAtStart(engine, loaded);
    const known = [
      ...weaknesses,
      ...(await engine.warnings()),
      ...(await followWarnings(engine, loaded)),
      ...explorerWarnings(settings),
    ];
    const warnings = [...leftOut, ...known.map((warning) => `warning: ${warning}`)];
    const outside = { load, logStream: logStream ?? openProcessLog() };
    const composed = await compose(engine, { settings, temporaryToken, ...outside });
    return { ...composed, temporaryToken, warnings };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
