import { nameTexts } from '@proj/contract';

import { buildAttributes } from './build-attributes.ts';
import { withComputed } from './computed-columns.ts';
import { buildDefaultOrder, buildKey, yamlText } from './build-order.ts';
import type { DescribedColumn } from '../described-column.ts';
import type { Model, ModelColumn } from '../model.ts';
import type { ExposeSettings, ModelError, ModelSettings } from '../model-settings.ts';
import type { Column, Relation } from '../relation.ts';

export interface ModelParts {
  readonly name: string;
  readonly model: ModelSettings;
  readonly relation: Relation | undefined;
  readonly relations: readonly Relation[];
  readonly settings: ExposeSettings;
  readonly described?: ReadonlyMap<string, DescribedColumn> | undefined;
}

export interface ModelBuilding {
  readonly model: Model | undefined;
  readonly errors: readonly ModelError[];
}

/** A table of so many rows is counted in some tens of milliseconds. */
const MAX_UP_TO = 1_000_000;

const MOST_NAMES = 20;

/** A model without one attribute, or its label, can still be served. */
export function buildModel(parts: ModelParts): ModelBuilding {
  const { relation: stored } = parts;
  if (stored === undefined) {
    const { source } = parts.model;
    const problem = noRelation(`"${source ?? parts.name}"`, parts.relations);
    const path = source === undefined ? [] : ['source'];
    return { model: undefined, errors: [{ path, ...problem }] };
  }
  const problem = unusableRelation(stored) ?? distributedRelation(stored, parts);
  if (problem !== undefined) return { model: undefined, errors: [problem] };
  const { name, settings, described } = parts;
  const errors: ModelError[] = [];
  const { relation, model } = withComputed(stored, parts.model, { described, errors });
  const attributes = buildAttributes({ model, relation, expose: settings.expose, errors });
  const key = buildKey({ name, key: model.key }, relation, errors);
  const defaultOrder = buildDefaultOrder(model, attributes, errors);
  const label = buildLabel(model, attributes, errors);
  const isUsable =
    attributes.size > 0 && errors.every(({ path: [member = ''] }) => CAN_BE_MISSING.has(member));
  if (!isUsable) return { model: undefined, errors };
  const facts = plainFacts(parts, relation);
  return { model: Object.freeze({ ...facts, attributes, ...label, defaultOrder, key }), errors };
}

const CAN_BE_MISSING: ReadonlySet<string> = new Set(['attributes', 'label']);

function buildLabel(
  { label }: ModelSettings,
  attributes: Model['attributes'],
  errors: ModelError[],
): Pick<Model, 'label'> {
  if (label === undefined) return {};
  if (attributes.has(label)) return { label };
  errors.push({
    path: ['label'],
    problem: `The model has no attribute named "${label}".`,
    remedy: `It has: ${nameTexts([...attributes.keys()])}.`,
  });
  return {};
}

function plainFacts(
  { name, model, settings }: ModelParts,
  relation: Relation,
): Omit<Model, 'attributes' | 'label' | 'defaultOrder' | 'key'> {
  return {
    name,
    description: model.description ?? relation.description,
    path: relation.path,
    ...(relation.selection && { selection: relation.selection }),
    foreignKeys: relation.foreignKeys ?? [],
    relations: new Map(),
    columns: new Map(relation.columns.map((column) => [column.name, columnOf(column)])),
    ...stabilityOf(relation, model),
    ...placeOf(relation, model),
    ...(relation.definition !== undefined && { definition: relation.definition }),
    ...unversionedOf(relation),
    ...(relation.roles !== undefined && { roles: relation.roles }),
    maxPageSize: model.maxPageSize ?? settings.maxPageSize,
    maxUpTo: settings.maxUpTo ?? MAX_UP_TO,
    deprecated: model.deprecated ?? null,
    missing: undefined,
  };
}

function unversionedOf({ unversioned, columns }: Relation): Pick<Model, 'unversioned'> {
  if (unversioned !== undefined) return { unversioned };
  const names = columns.flatMap(({ name, computed }) =>
    computed === undefined || computed.isOfRow ? [] : name,
  );
  if (names.length === 0) return {};
  const why = 'no setting says that it reads its row alone (`reads: row`)';
  return { unversioned: `where a list names ${nameTexts(names)}: ${why}` };
}

/** Operators may prefer mixed states to waiting for one. */
function placeOf({ distributed, cut }: Relation, model: ModelSettings) {
  if (distributed === undefined) return {};
  return cut === undefined || model.distributed === 'approximate' ? { distributed } : { cut };
}

/** Rows on several servers have snapshots and versions only if one state of all is read. */
function stabilityOf(
  { snapshots = false, versioned = false, varies = false, cut }: Relation,
  { distributed }: ModelSettings,
): Pick<Model, 'snapshots' | 'versioned' | 'varies'> {
  if (cut !== undefined && distributed === 'approximate')
    return { snapshots: false, versioned: false };
  return varies
    ? { snapshots: false, versioned: false, varies: { inTransaction: snapshots } }
    : { snapshots, versioned };
}

function columnOf({ name, type, items, databaseType, computed }: Column): ModelColumn {
  return { name, column: name, type, items, databaseType, ...(computed && { computed }) };
}

export function noRelation(
  wanted: string,
  relations: readonly Relation[],
): Omit<ModelError, 'path'> {
  const names = relations.slice(0, MOST_NAMES).map((relation) => relation.name);
  const more = relations.length > MOST_NAMES ? ', …' : '';
  return {
    problem: `The database has no table or view named ${wanted}.`,
    remedy: names.length === 0 ? 'The database is empty.' : `It has: ${nameTexts(names)}${more}.`,
  };
}

function unusableRelation({ unusable, columns }: Relation): ModelError | undefined {
  const fix = 'Fix it in the database, or leave it out.';
  if (unusable !== undefined) return { path: [], problem: unusable, remedy: fix };
  if (columns.length > 0) return undefined;
  const remedy = 'Nothing of it can be shown: leave it out.';
  return { path: [], problem: 'It has no columns that may be read.', remedy };
}

function distributedRelation(
  relation: Relation,
  { name, model }: Pick<ModelParts, 'name' | 'model'>,
): ModelError | undefined {
  const problem = whyDistributed(relation);
  if (problem === undefined || model.distributed === 'approximate') return undefined;
  const settings = `models: { ${yamlText(name)}: { distributed: approximate } }`;
  const remedy = `Leave it out, or accept that, which its replies say then: ${settings}`;
  return { path: [], problem, remedy };
}

export function whyDistributed({ distributed, cut }: Relation): string | undefined {
  return distributed === undefined || cut !== undefined
    ? undefined
    : `${distributed} Rows and total of a reply could be of different states.`;
}
