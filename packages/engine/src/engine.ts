import { buildCatalogue } from './catalogue/build/build.ts';
import type { Relation } from './catalogue/relation.ts';
import type { Engine, EngineSettings } from './engine-types.ts';
import { Replicas } from './engine/replicas/replicas.ts';
import { SourceEngine } from './engine/source-engine.ts';
import { openSource } from './sources/open-source.ts';
import type { SourceSettings } from './sources/source-settings.ts';
import type { Source } from './sources/source.ts';

/**
 * Opens the database and builds the catalogue of what the settings expose.
 *
 * @throws {SettingsError} when the database URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  const source = await openSource(settings.database, settings);
  let replicas: Replicas | undefined;
  try {
    const built = buildCatalogue(await source.introspect(settings.sessions), settings);
    replicas = await openReplicas(source, settings);
    return new SourceEngine({ source, replicas }, settings, built);
  } catch (error) {
    await replicas?.close();
    await source.close();
    throw error;
  }
}

async function openReplicas(
  primary: Source,
  { replicas, pooler, queryTimeoutMs, processes, replyMemory, sessions }: EngineSettings,
): Promise<Replicas | undefined> {
  if (replicas === undefined) return undefined;
  const settings = { pooler, queryTimeoutMs, processes, replyMemory, isReplica: true };
  const open = async (url: string): Promise<Source> => openReplica(url, settings, sessions);
  return Replicas.open({ ...replicas, primary, open });
}

/** A source knows which relations have versions once it has read the schema. */
async function openReplica(
  url: string,
  settings: SourceSettings,
  sessions: EngineSettings['sessions'],
): Promise<Source> {
  const source = await openSource(url, settings);
  try {
    await source.introspect(sessions);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * What a database holds, for a settings file to be written from.
 *
 * @throws {SettingsError} when the URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function readRelations(database: string): Promise<Relation[]> {
  const source = await openSource(database);
  try {
    const relations = await source.introspect();
    return (await source.sample?.(relations)) ?? relations;
  } finally {
    await source.close();
  }
}
