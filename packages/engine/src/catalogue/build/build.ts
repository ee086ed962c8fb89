import { buildModel } from './build-model.ts';
import type { Catalogue, Model } from '../model.ts';
import type { ExposeSettings, ModelSettings } from '../model-settings.ts';
import type { Relation } from '../relation.ts';

/**
 * Something that the settings ask for and the database does not have, and what the operator can do.
 */
export interface CatalogueReport {
  readonly model: string;
  /** The place in the {@link ExposeSettings}, from the outermost member. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
  /** Whether the settings asked for the model by name, which makes the report an error. */
  readonly listed: boolean;
}

/** A frozen catalogue, and what was left out of it. */
export interface BuiltCatalogue {
  readonly catalogue: Catalogue;
  readonly reports: readonly CatalogueReport[];
}

/** Introspected relations × settings → models. What the reports name is left out. */
export function buildCatalogue(
  relations: readonly Relation[],
  settings: ExposeSettings,
): BuiltCatalogue {
  const reports: CatalogueReport[] = [];
  const models = new Map<string, Model>();
  for (const [name, model] of wantedModels(relations, settings)) {
    const listed = Object.hasOwn(settings.models, name);
    const built = buildModel({ name, model, relations, settings });
    if (built.model !== undefined) models.set(name, built.model);
    reports.push(
      ...built.errors.map(({ path, ...error }) => ({
        model: name,
        listed,
        path: ['models', name, ...path],
        ...error,
      })),
    );
  }
  return { catalogue: models, reports: [...reports, ...hiddenRelations(relations)] };
}

/** Relations whose name another one has too, which is found first. */
function hiddenRelations(relations: readonly Relation[]): CatalogueReport[] {
  const first = new Map<string, Relation>();
  return relations.flatMap((relation) => {
    const { name, path } = relation;
    const served = first.get(name);
    if (served === undefined) first.set(name, relation);
    if (served === undefined) return [];
    const both = `${describePath(path)} and ${describePath(served.path)}`;
    const problem = `${both} would both be named "${name}", and only the latter can be.`;
    const remedy = 'Rename one of them in the database.';
    return [{ model: name, path: ['models', name], problem, remedy, listed: false }];
  });
}

function describePath(path: readonly string[]): string {
  return path.map((part) => `"${part}"`).join('.');
}

function wantedModels(
  relations: readonly Relation[],
  settings: ExposeSettings,
): Map<string, ModelSettings> {
  const wanted = new Map(Object.entries(settings.models));
  if (settings.expose === 'listed') return wanted;
  const sources = new Set([...wanted].map(([name, model]) => model.source ?? name));
  for (const { name } of relations)
    if (!sources.has(name) && !wanted.has(name)) wanted.set(name, {});
  return new Map([...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
