import type { Attribute, Catalogue, Model, OrderTerm } from './model.ts';
import type { Column, KeyCandidate, Relation } from './relation.ts';

/** What the settings say of one model. */
export interface ModelSettings {
  /** The relation that it shows; its own name where absent. */
  readonly source?: string | undefined;
  readonly description?: string | undefined;
  /** Columns that are unique together and never NULL, for a relation whose key the database does not know. */
  readonly key?: readonly string[] | undefined;
  readonly max_page_size?: number | undefined;
}

/** Which relations become models. */
export interface ExposeSettings {
  /** `all`: every relation that has a key; `listed`: those that `models` names. */
  readonly expose: 'all' | 'listed';
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly maxPageSize: number;
}

/** Why a model is not served, and what the operator can do. */
export interface CatalogueReport {
  readonly model: string;
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

/** Introspected relations × settings → models. */
export function buildCatalogue(relations: readonly Relation[], settings: ExposeSettings): BuiltCatalogue {
  const reports: CatalogueReport[] = [];
  const models = new Map<string, Model>();
  for (const [name, model] of wantedModels(relations, settings)) {
    const listed = Object.hasOwn(settings.models, name);
    const built = buildModel(name, model, relations, settings);
    if ('problem' in built) reports.push({ model: name, listed, ...built });
    else models.set(name, built);
  }
  return { catalogue: models, reports };
}

function wantedModels(relations: readonly Relation[], settings: ExposeSettings): Map<string, ModelSettings> {
  const wanted = new Map(Object.entries(settings.models));
  if (settings.expose === 'listed') return wanted;
  const shown = new Set([...wanted].map(([name, model]) => model.source ?? name));
  for (const { name } of relations) if (!shown.has(name) && !wanted.has(name)) wanted.set(name, {});
  return new Map([...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Fault = Pick<CatalogueReport, 'problem' | 'remedy'>;

function buildModel(name: string, model: ModelSettings, relations: readonly Relation[], settings: ExposeSettings): Model | Fault {
  const source = model.source ?? name;
  const relation = relations.find((candidate) => candidate.name === source);
  if (relation === undefined) return missing(source, relations);
  if (relation.unusable !== undefined) return { problem: relation.unusable, remedy: 'Mend it in the database, or leave it out.' };
  const key = model.key === undefined ? knownKey(relation) : declaredKey(model.key, relation);
  if ('problem' in key) return key;
  return Object.freeze({
    name,
    description: model.description ?? relation.description,
    path: relation.path,
    attributes: new Map(relation.columns.map((column) => [column.name, attributeOf(column)])),
    defaultOrder: [],
    key,
    maxPageSize: model.max_page_size ?? settings.maxPageSize,
  });
}

function missing(source: string, relations: readonly Relation[]): Fault {
  const known = relations.map((relation) => relation.name).slice(0, 20);
  return {
    problem: `The database has no table or view named "${source}".`,
    remedy: known.length === 0 ? 'The database is empty.' : `It has: ${known.join(', ')}${relations.length > 20 ? ', …' : ''}.`,
  };
}

function knownKey(relation: Relation): readonly OrderTerm[] | Fault {
  const [key] = relation.keys;
  return key === undefined
    ? {
        problem: `The ${relation.kind} has no unique key, so its rows have no total order and pages would repeat and lose rows.`,
        remedy: `Name columns that are unique together and never NULL: models: { ${relation.name}: { key: [column] } }.`,
      }
    : key.map(orderTerm);
}

function declaredKey(names: readonly string[], relation: Relation): readonly OrderTerm[] | Fault {
  const unknown = names.filter((name) => !relation.columns.some((column) => column.name === name));
  return unknown.length > 0
    ? {
        problem: `key names columns that ${relation.name} does not have: ${unknown.join(', ')}.`,
        remedy: `It has: ${relation.columns.map((column) => column.name).join(', ')}.`,
      }
    : names.map((column) => orderTerm({ column }));
}

function orderTerm(part: KeyCandidate[number]): OrderTerm {
  return { ...part, direction: 'asc', nulls: 'last', nullable: false };
}

function attributeOf({ name, type, items, databaseType, nullable, description }: Column): Attribute {
  return Object.freeze({ name, column: name, type, items, databaseType, nullable, description });
}
