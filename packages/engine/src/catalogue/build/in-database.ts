import type { Catalogue, Model, ToOne } from '../model.ts';
import type { ExposeSettings } from '../model-settings.ts';
import type { CatalogueReport } from '../model-error.ts';
import type { ForeignKeyFinding } from './build-relations.ts';

interface Built {
  readonly catalogue: Catalogue;
  readonly reports: readonly CatalogueReport[];
  readonly foreignKeys: readonly ForeignKeyFinding[];
}

/** Prefixes model names. Relations keep theirs, so paths need no prefix. */
export function inDatabase(
  built: Built,
  { databaseName, prefix }: Pick<ExposeSettings, 'databaseName' | 'prefix'>,
): Built {
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
