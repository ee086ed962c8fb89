import pino, { type Logger } from 'pino';

import { SignInCode } from './access/sign-in-code.ts';
import { temporaryTokenFor } from './access/temporary-token.ts';
import type { ComposedService } from './compose.ts';
import { Databases } from './databases/databases.ts';
import { openReplyMemory } from './limits/reply-memory.ts';
import type { ServiceCounts } from './limits/counts/service-counts.ts';
import { openProcessLog, type ProcessLog } from './log/process-log.ts';
import { passAll, SETTINGS_OBSTACLES } from './obstacles.ts';
import { replicasIn } from './settings/databases.ts';
import type { Spread } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import type { Settings } from './settings/schema.ts';
import type { SharedPositions } from './redis/shared-positions.ts';

/** Does not listen yet. */
export interface Service extends ComposedService {
  /** The token of this run; undefined where the settings have tokens. */
  readonly temporaryToken: string | undefined;
  /** For the sign-in link, if there is one. */
  readonly signInCode: string | undefined;
  readonly warnings: readonly string[];
  /** Of a database away at the start: resolves with warnings; undefined when closed before. */
  readonly opening: Promise<readonly string[] | undefined> | undefined;
}

export interface Surroundings {
  readonly load: () => Promise<LoadedSettings>;
  /** @default standard output */
  readonly logStream?: ProcessLog;
  readonly role?: WorkerRole;
}

export interface WorkerRole {
  /** The token of this run; undefined where the settings have tokens. */
  readonly temporaryToken: string | undefined;
  readonly counts: ServiceCounts;
  readonly takeBuildTurn: NonNullable<Spread['takeBuildTurn']>;
  /** What the other processes have shown callers. */
  readonly seenElsewhere: NonNullable<Spread['seenElsewhere']>;
}

/**
 * Opens the database, checks the settings against it and composes the service. If the database is
 * away and `startup` is `wait`, it starts anyway and keeps trying.
 *
 * @throws {SettingsError} when the settings are refused
 * @throws {QueryFailedError} when the database does not answer and is not waited for
 */
export async function openService(
  loaded: LoadedSettings,
  { logStream = openProcessLog(), ...surroundings }: Surroundings,
): Promise<Service> {
  // One for all parts: child loggers follow its level.
  const log = pino({ level: loaded.settings.log_level }, logStream);
  const positions = await openPositions(loaded.settings, log);
  try {
    const service = await openWith(loaded, { ...surroundings, logStream, log, positions });
    const close = (): Promise<void> => service.close().then(() => positions?.close());
    return { ...service, close };
  } catch (error) {
    positions?.close();
    throw error;
  }
}

/** Shared through Redis, whose client is loaded only if used. */
async function openPositions(settings: Settings, log: Logger) {
  const { redis } = settings.rate_limits;
  const lags = replicasIn(settings).map(({ maxLagMs }) => maxLagMs);
  if (lags.length === 0 || redis === undefined) return undefined;
  const module = await import('./redis/shared-positions.ts');
  return new module.SharedPositions(redis, { log, maxLagMs: Math.max(...lags) });
}

interface Opening extends Surroundings {
  readonly logStream: ProcessLog;
  readonly log: Logger;
  readonly positions: SharedPositions | undefined;
}

async function openWith(
  loaded: LoadedSettings,
  { load, logStream, log, role, positions }: Opening,
): Promise<Service> {
  const { settings } = loaded;
  const temporaryToken = role === undefined ? temporaryTokenFor(settings) : role.temporaryToken;
  // Each of several workers would take the code once.
  const signInCode =
    temporaryToken !== undefined && role === undefined && settings.explorer
      ? new SignInCode(temporaryToken, Date.now)
      : undefined;
  const warnings = await passAll(SETTINGS_OBSTACLES, loaded);
  const replyMemory = openReplyMemory(settings.limits, role?.counts.workers);
  const counts = role?.counts;
  const parts = { settings, temporaryToken, signInCode, load, log, logStream, counts, replyMemory };
  const spread = {
    workers: role?.counts.workers,
    takeBuildTurn: role?.takeBuildTurn,
    seenElsewhere: positions ?? role?.seenElsewhere,
    replyMemory,
  };
  const opening = Databases.open(loaded, spread, log);
  // While the database answers, which is asked first.
  const [databases, { compose }] = await Promise.all([opening, import('./compose.ts')]);
  try {
    return {
      ...(await compose(databases, parts)),
      opening: databases.opening,
      temporaryToken,
      signInCode: signInCode?.code,
      warnings: [...databases.warnings, ...warnings],
    };
  } catch (error) {
    await databases.close();
    throw error;
  }
}
