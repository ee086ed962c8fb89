import { type CatalogueCandidate, type Engine, openEngine } from '@proj/engine';
import { sessionRoles } from '@proj/fastify/settings';

import { checkCatalogue } from '../checks/check-settings.ts';
import { checkSessions } from '../checks/database-sessions.ts';
import { passDatabase } from '../obstacles.ts';
import type { DatabaseSettings, LoadedDatabase } from '../settings/databases.ts';
import { engineSettings, type Spread } from '../settings/engine-settings.ts';

/** An engine whose models the settings fit. */
export interface CheckedEngine {
  readonly engine: Engine;
  /** What an operator should know of the database. */
  readonly warnings: readonly string[];
}

/**
 * Opens a database and checks the settings against it.
 *
 * @throws {SettingsError} when the settings are refused
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openDatabase(
  loaded: LoadedDatabase,
  spread?: Spread,
): Promise<CheckedEngine> {
  const engine = await openEngine(engineSettings(loaded.settings, spread));
  try {
    return { engine, warnings: await passDatabase({ engine, loaded }) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** A catalogue of other settings, and lines about it that an operator should read. */
export interface PreparedCatalogue {
  readonly candidate: CatalogueCandidate | undefined;
  readonly lines: readonly string[];
}

/**
 * Checks other settings of a database that is open.
 *
 * @param rereads whether the schema is read again
 * @throws as {@link openDatabase}
 */
export async function prepareCatalogue(
  engine: Engine,
  loaded: LoadedDatabase,
  rereads: boolean,
): Promise<PreparedCatalogue> {
  const candidate = rereads ? await engine.prepare(engineSettings(loaded.settings)) : undefined;
  const { catalogue } = candidate ?? engine;
  const ofSessions = await checkSessions({ engine, catalogue }, loaded);
  const leftOut = candidate === undefined ? [] : checkCatalogue(candidate, loaded);
  return { candidate, lines: [...ofSessions, ...leftOut] };
}

/** The part of the settings from which the catalogue of a database is built. */
export function exposureOf({ expose, models, prefix, roles, limits }: DatabaseSettings): object {
  const { max_page_size: maxPageSize, max_up_to: maxUpTo } = limits;
  return { expose, models, prefix, sessions: sessionRoles(roles), maxPageSize, maxUpTo };
}

/** The part of the settings by which a database is connected to. */
export function connectionOf(settings: DatabaseSettings): object {
  const { database, pooler, follow, cluster, replicas } = settings;
  return { database, pooler, follow, cluster, replicas };
}
