import { buildCatalogue } from './catalogue/build.ts';
import type { Relation } from './catalogue/relation.ts';
import type { Engine, EngineSettings } from './engine-types.ts';
import { SourceEngine } from './engine/source-engine.ts';
import { openSource } from './sources/open-source.ts';

/**
 * Opens the database and builds the catalogue of what the settings expose.
 *
 * @throws {SettingsError} when the database URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  const source = await openSource(settings.database, settings);
  try {
    return new SourceEngine(source, settings, buildCatalogue(await source.introspect(), settings));
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
