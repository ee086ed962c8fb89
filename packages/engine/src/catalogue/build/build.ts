import { buildModel, type ModelBuilding } from './build-model.ts';
import { buildRelations, type ForeignKeyFinding } from './build-relations.ts';
import type { Described } from '../described-column.ts';
import type { Catalogue, Model, ToOne } from '../model.ts';
import type { CatalogueReport, ExposeSettings } from '../model-settings.ts';
import type { Relation } from '../relation.ts';

export interface BuiltCatalogue {
  readonly catalogue: Catalogue;
  readonly reports: readonly CatalogueReport[];
  readonly foreignKeys: readonly ForeignKeyFinding[];
}

/** Introspected relations × settings → models. What the reports name is left out. */
export function buildCatalogue(
  relations: readonly Relation[],
  settings: ExposeSettings,
  described: Described = { selections: new Map(), columns: new Map() },
): BuiltCatalogue {
  const reports: CatalogueReport[] = [];
  const models = new Map<string, Model>();
  const named = Map.groupBy(relations, ({ name }) => name);
  for (const [name, model] of wantedModels(relations, settings)) {
    const listed = Object.hasOwn(settings.models, name);
    const relation = described.selections.get(name) ?? named.get(model.source ?? name)?.[0];
    const columns = described.columns.get(name);
    const parts = { name, model, relations, settings, described: columns };
    const built: ModelBuilding =
      relation !== undefined && 'problem' in relation
        ? { model: undefined, errors: [relation] }
        : buildModel({ ...parts, relation });
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
  const related = buildRelations(models, relations, settings);
  const whole = {
    catalogue: related.models,
    reports: [...reports, ...related.reports, ...hiddenRelations(relations)],
    foreignKeys: related.foreignKeys,
  };
  return inDatabase(whole, settings);
}

export function foreignKeyFindings(relations: readonly Relation[]): readonly ForeignKeyFinding[] {
  const { foreignKeys } = buildCatalogue(relations, { expose: 'all', models: {}, maxPageSize: 1 });
  return foreignKeys;
}

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

function wantedModels(relations: readonly Relation[], settings: ExposeSettings) {
  const wanted = new Map(Object.entries(settings.models));
  if (settings.expose === 'listed') return wanted;
  const sources = new Set([...wanted].map(([name, model]) => model.source ?? name));
  for (const { name } of relations)
    if (!sources.has(name) && !wanted.has(name)) wanted.set(name, {});
  return new Map([...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Prefixes model names. Relations keep theirs, so paths need no prefix. */
function inDatabase(
  built: BuiltCatalogue,
  { databaseName, prefix }: Pick<ExposeSettings, 'databaseName' | 'prefix'>,
): BuiltCatalogue {
  if (databaseName === undefined) return built;
  const named = (name: string): string => (prefix === undefined ? name : `${prefix}.${name}`);
  const models = [...built.catalogue.values()].map((model): [string, Model] => {
    const relations = [...model.relations].map(([name, one]): [string, ToOne] => [
      name,
      Object.freeze({ ...one, model: named(one.model) }),
    ]);
    const name = named(model.name);
    const changed = { ...model, name, database: databaseName, relations: new Map(relations) };
    return [name, Object.freeze(changed)];
  });
  return {
    catalogue: new Map(models),
    reports: built.reports.map((one) => ({ ...one, model: named(one.model) })),
    foreignKeys: built.foreignKeys.map((one) => ({ ...one, model: named(one.model) })),
  };
}
