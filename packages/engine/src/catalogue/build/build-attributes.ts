import { nameText, nameTexts } from '@proj/contract';

import type { Attribute } from '../model.ts';
import type {
  AttributeSettings,
  ExposeSettings,
  ModelError,
  ModelSettings,
} from '../model-settings.ts';
import type { Column, Relation } from '../relation.ts';
import { STORED_TYPES, type StoredAs } from '../field.ts';

interface AttributeParts {
  readonly model: ModelSettings;
  readonly relation: Relation;
  readonly expose: ExposeSettings['expose'];
  readonly errors: ModelError[];
}

/** PostgreSQL cuts longer names of what is computed, where two may become one. */
const LONGEST_NAME_BYTES = 63;

export function buildAttributes(parts: AttributeParts): ReadonlyMap<string, Attribute> {
  const { relation, errors } = parts;
  const named = namedAttributes(parts);
  const attributes = new Map<string, Attribute>();
  for (const [name, settings] of named) {
    const column = relation.columns.find(
      (candidate) => candidate.name === (settings.column ?? name),
    );
    if (column === undefined) errors.push(missingColumn(name, settings, relation));
    else if (settings.hidden !== true)
      attributes.set(name, buildAttribute({ name, column, settings }, relation, errors));
  }
  const remedy = 'Show at least one, or leave the model out.';
  if (attributes.size === 0 && errors.length === 0)
    errors.push({ path: ['attributes'], problem: 'Every attribute is hidden.', remedy });
  return attributes;
}

function namedAttributes(parts: AttributeParts): Map<string, AttributeSettings> {
  const { model, relation, expose, errors } = parts;
  const isWhole = expose === 'all' || relation.selection !== undefined;
  const { attributes = isWhole ? 'all' : undefined } = model;
  if (attributes === undefined) {
    const names = nameTexts(relation.columns.map(({ name }) => name));
    const problem = 'The settings do not say which attributes the model shows.';
    const remedy = `Write "attributes: all", or name some of these columns: ${names}.`;
    errors.push({ path: [], problem, remedy });
    return new Map();
  }
  const named = new Map(
    attributes === 'all' ? [] : attributes instanceof Map ? attributes : Object.entries(attributes),
  );
  if (attributes !== 'all' && expose === 'listed') return named;
  const taken = new Set([...named].map(([name, settings]) => settings.column ?? name));
  for (const { name } of relation.columns)
    if (!taken.has(name) && !named.has(name)) named.set(name, {});
  return named;
}

interface NamedColumn {
  readonly name: string;
  readonly column: Column;
  readonly settings: AttributeSettings;
}

function buildAttribute(
  { name, column, settings }: NamedColumn,
  relation: Relation,
  errors: ModelError[],
): Attribute {
  const { type = column.type, description = column.description, deprecated = null } = settings;
  if (type !== column.type && relation.typesAreHints !== true) {
    const known = nameText(column.name);
    const problem = `The database knows the type of ${known}: it is ${column.type}.`;
    const remedy = 'Leave it out: it is for databases whose types are hints.';
    errors.push({ path: ['attributes', name, 'type'], problem, remedy });
  }
  if (column.computed !== undefined && Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    const problem = `"${name}" is too long for a computed attribute.`;
    const remedy = `Choose a name of at most ${LONGEST_NAME_BYTES} bytes.`;
    errors.push({ path: ['attributes', name], problem, remedy });
  }
  const { items, databaseType, encoding, collation, nullable } = column;
  const extremes = column.extremes?.[items ?? type] ?? [];
  const storedAs = storedAsOf({ name, column, settings }, relation, errors);
  const described = { name, column: column.name, description, deprecated };
  const typed = { type, items, databaseType, encoding, nullable, extremes, storedAs };
  return Object.freeze({ ...described, ...typed, ...(collation && { collation }) });
}

function storedAsOf(
  { name, column, settings }: NamedColumn,
  relation: Relation,
  errors: ModelError[],
): StoredAs | undefined {
  const { type = column.type, storedAs: declared } = settings;
  if (relation.typesAreHints === true && STORED_TYPES.has(type)) return declared ?? 'text';
  if (declared === undefined) return undefined;
  const problem = `${nameText(column.name)} is ${type}, whose values are stored in one way.`;
  const types = [...STORED_TYPES].join(', ');
  const remedy = `Leave it out: it is for columns of type ${types} where types are hints.`;
  errors.push({ path: ['attributes', name, 'storedAs'], problem, remedy });
  return undefined;
}

function missingColumn(name: string, settings: AttributeSettings, relation: Relation): ModelError {
  return {
    path: ['attributes', name, ...(settings.column === undefined ? [] : ['column'])],
    problem: `${nameText(relation.name)} has no column named "${settings.column ?? name}".`,
    remedy: `It has: ${nameTexts(relation.columns.map((column) => column.name))}.`,
  };
}
