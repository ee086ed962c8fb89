import { type CatalogueCandidate, type Engine, openEngine, SettingsError } from '@proj/engine';
import { sessionRoles } from '@proj/fastify/settings';

import { catalogueFindings } from '../checks/check-settings.ts';
import { sessionFindings } from '../checks/database-sessions.ts';
import { demand } from '../checks/findings.ts';
import { DATABASE_OBSTACLES, passAll } from '../obstacles.ts';
import type { DatabaseSettings, LoadedDatabase } from '../settings/databases.ts';
import { engineSettings, type Spread } from '../settings/engine-settings.ts';
import { fileListsIn } from '../settings/file-lists.ts';

export interface CheckedEngine {
  readonly engine: Engine;
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
  const engine = await openAt(loaded, spread);
  try {
    return { engine, warnings: await passAll(DATABASE_OBSTACLES, { engine, loaded }) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** @throws {SettingsError} naming the place of a URL that is wrong */
export async function openAt(
  { settings, place }: LoadedDatabase,
  spread?: Spread,
): Promise<Engine> {
  return openEngine(engineSettings(settings, spread)).catch((error: unknown) => {
    // Another class of error may mean that opening is tried again.
    if (error instanceof SettingsError)
      error.message = error.message.replace(/^(?=database: )/, () => place(['database']));
    throw error;
  });
}

export interface PreparedCatalogue {
  readonly candidate: CatalogueCandidate | undefined;
  readonly lines: readonly string[];
}

/** @param rereads whether the schema is read again */
export async function prepareCatalogue(
  engine: Engine,
  loaded: LoadedDatabase,
  rereads: boolean,
): Promise<PreparedCatalogue> {
  const candidate = rereads ? await engine.prepare(engineSettings(loaded.settings)) : undefined;
  const { catalogue } = candidate ?? engine;
  const ofSessions = demand(await sessionFindings({ engine, catalogue }, loaded));
  const leftOut = candidate === undefined ? [] : demand(catalogueFindings(candidate, loaded));
  return { candidate, lines: [...ofSessions, ...leftOut] };
}

/** The settings that determine the catalogue of a database. */
export function exposureOf({ expose, models, prefix, roles, limits }: DatabaseSettings): object {
  const { max_page_size: maxPageSize, max_up_to: maxUpTo } = limits;
  return { expose, models, prefix, sessions: sessionRoles(roles), maxPageSize, maxUpTo };
}

/** The settings that determine its connections. */
export function connectionOf(settings: DatabaseSettings): object {
  const { database, pooler, follow, cluster, replicas } = settings;
  return { database, pooler, follow, cluster, replicas, files: fileListsIn(settings) };
}
