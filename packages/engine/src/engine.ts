import type { Relation } from './catalogue/relation.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { Engine } from './engine-types.ts';
import { readCatalogue } from './engine/read-catalogue.ts';
import { Replicas } from './engine/replicas/replicas.ts';
import { SourceEngine } from './engine/source-engine.ts';
import { SettingsError } from './errors.ts';
import { type DatabaseKind, openSource } from './sources/database-kind.ts';
import type { Source } from './sources/source.ts';

/**
 * @throws {SettingsError} when the database URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  const source = await openSource(settings.database, settings.kinds, settings);
  let replicas: Replicas | undefined;
  try {
    const built = await readCatalogue(source, settings);
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
  { kinds, replicas, pooler, queryTimeoutMs, processes, replyMemory, sessions }: EngineSettings,
): Promise<Replicas | undefined> {
  if (replicas === undefined) return undefined;
  const { log } = primary;
  if (log === undefined)
    throw new SettingsError('replicas: this database has none. Leave `replicas` out.');
  const settings = { pooler, queryTimeoutMs, processes, replyMemory, isReplica: true };
  // A source knows which relations have versions once it has read the schema.
  const open = async (url: string): Promise<Source> => {
    const source = await openSource(url, kinds, settings);
    try {
      await source.introspect(sessions);
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  };
  return Replicas.open({ ...replicas, log, open });
}

/** @throws as {@link openEngine} */
export async function readRelations(
  database: string,
  kinds: readonly DatabaseKind[],
): Promise<Relation[]> {
  const source = await openSource(database, kinds);
  try {
    const relations = await source.introspect();
    return (await source.sample?.(relations)) ?? relations;
  } finally {
    await source.close();
  }
}
