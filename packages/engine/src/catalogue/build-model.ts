import { SORTABLE_TYPES } from '@proj/contract';

import type { Field } from './field.ts';
import { buildAttributes } from './build-attributes.ts';
import { missingKey } from './missing-key.ts';
import type { Attribute, Model, OrderTerm } from './model.ts';
import { attributeTerm } from './order.ts';
import type { ExposeSettings, ModelSettings } from './model-settings.ts';
import type { Column, KeyCandidate, Relation } from './relation.ts';

/** A fault of the settings of one model; `path` leads from the model to the place. */
export interface ModelFault {
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy: string;
}

/** What one model is built from. */
export interface ModelParts {
  readonly name: string;
  readonly model: ModelSettings;
  readonly relations: readonly Relation[];
  readonly settings: ExposeSettings;
}

/** A model, unless it cannot be served, and every fault of its settings. */
export interface ModelBuilding {
  readonly model: Model | undefined;
  readonly faults: readonly ModelFault[];
}

const NO_COLUMNS: ModelFault = {
  path: [],
  problem: 'It has no columns that may be read.',
  remedy: 'Nothing of it can be shown: leave it out.',
};

/**
 * Builds one model from its relation and its settings. A model without one of its attributes can
 * still be served.
 */
export function buildModel(parts: ModelParts): ModelBuilding {
  const { name, model, relations, settings } = parts;
  const source = model.source ?? name;
  const relation = relations.find((candidate) => candidate.name === source);
  if (relation === undefined)
    return { model: undefined, faults: [missingRelation(model, source, relations)] };
  if (relation.unusable !== undefined) {
    const fault = {
      path: [],
      problem: relation.unusable,
      remedy: 'Fix it in the database, or leave it out.',
    };
    return { model: undefined, faults: [fault] };
  }
  if (relation.columns.length === 0) return { model: undefined, faults: [NO_COLUMNS] };
  const faults: ModelFault[] = [];
  const attributes = buildAttributes({ model, relation, expose: settings.expose, faults });
  const key = keyOf(parts, relation, faults);
  const defaultOrder = orderOf(model, attributes, faults);
  const usable = attributes.size > 0 && faults.every(({ path }) => path[0] === 'attributes');
  return {
    model: usable
      ? Object.freeze({ ...plainFacts(parts, relation), attributes, defaultOrder, key })
      : undefined,
    faults,
  };
}

function plainFacts(
  { name, model, settings }: ModelParts,
  relation: Relation,
): Omit<Model, 'attributes' | 'defaultOrder' | 'key'> {
  return {
    name,
    description: model.description ?? relation.description,
    path: relation.path,
    columns: new Map(relation.columns.map((column) => [column.name, fieldOf(column)])),
    snapshots: relation.snapshots ?? false,
    versioned: relation.versioned ?? false,
    maxPageSize: model.max_page_size ?? settings.maxPageSize,
    deprecated: model.deprecated ?? null,
    missing: undefined,
  };
}

function fieldOf({ name, type, items, databaseType }: Column): Field {
  return { name, column: name, type, items, databaseType };
}

function missingRelation(
  model: ModelSettings,
  source: string,
  relations: readonly Relation[],
): ModelFault {
  const known = relations.map((relation) => relation.name).slice(0, 20);
  return {
    path: model.source === undefined ? [] : ['source'],
    problem: `The database has no table or view named "${source}".`,
    remedy:
      known.length === 0
        ? 'The database is empty.'
        : `It has: ${known.join(', ')}${relations.length > 20 ? ', …' : ''}.`,
  };
}

function keyOf(
  { name, model: { key } }: ModelParts,
  relation: Relation,
  faults: ModelFault[],
): readonly OrderTerm[] {
  if (key !== undefined) return declaredKey(key, relation, faults);
  const [known] = relation.keys;
  if (known !== undefined) return known.map(keyTerm);
  faults.push(missingKey(name, relation));
  return [];
}

function declaredKey(
  names: readonly string[],
  relation: Relation,
  faults: ModelFault[],
): readonly OrderTerm[] {
  if (names.length === 0)
    faults.push({
      path: ['key'],
      problem: 'key names no column.',
      remedy: 'Name one, or leave key out.',
    });
  const unknown = names.filter((name) => !relation.columns.some((column) => column.name === name));
  if (unknown.length > 0) {
    faults.push({
      path: ['key'],
      problem: `key names columns that ${relation.name} does not have: ${unknown.join(', ')}.`,
      remedy: `It has: ${relation.columns.map((column) => column.name).join(', ')}.`,
    });
  }
  return names.map((column) => keyTerm({ column }));
}

function keyTerm(part: KeyCandidate[number]): OrderTerm {
  return { ...part, direction: 'asc', nulls: 'last', nullable: false };
}

function orderOf(
  { default_sort = [] }: ModelSettings,
  attributes: ReadonlyMap<string, Attribute>,
  faults: ModelFault[],
): OrderTerm[] {
  return default_sort.flatMap(({ attribute: name, direction, nulls }, index) => {
    const attribute = attributes.get(name);
    if (attribute !== undefined && SORTABLE_TYPES.has(attribute.type)) {
      return [attributeTerm(attribute, direction, nulls)];
    }
    const sortable = [...attributes.values()]
      .filter(({ type }) => SORTABLE_TYPES.has(type))
      .map((known) => known.name);
    faults.push({
      path: ['default_sort', String(index), 'attribute'],
      problem: `The model has no attribute named "${name}" that it could be sorted by.`,
      remedy: `It has: ${sortable.join(', ')}.`,
    });
    return [];
  });
}
