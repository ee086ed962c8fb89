import type { AttributeEntry, Filter, ModelEntry } from '@proj/client';
import { noKeyOf } from '@proj/contract';

import { RowError } from '../errors.ts';
import { jsonText } from '../mapping/json-text.ts';
import { operandOf } from '../mapping/operand.ts';
import type { Row } from './client.ts';

/**
 * The text by which a grid knows a record: the value of the model's key, or for a key of several
 * attributes their values as a JSON array. Different records have different texts.
 *
 * @throws {RowError} where the caller does not see the whole key.
 */
export function rowIdOf(model: ModelEntry, row: Row): string {
  const values = keyOf(model).map((name) => textOf(entryOf(model, name), row[name]));
  const [only = ''] = values;
  return values.length === 1 ? only : JSON.stringify(values);
}

/**
 * The filter for the record that a text of {@link rowIdOf} is about.
 *
 * @throws {RowError} where it is no such text.
 */
export function rowFilterOf(model: ModelEntry, id: string | number): Filter {
  const filter = foundFilterOf(model, id);
  if (filter !== undefined) return filter;
  throw new RowError(404, `${model.name}: ${JSON.stringify(id)} is the id of no record.`);
}

/** The same; `undefined` where it is no such text. */
export function foundFilterOf(model: ModelEntry, id: string | number): Filter | undefined {
  const key = keyOf(model);
  const texts = key.length === 1 ? [String(id)] : readTexts(String(id), key.length);
  const leaves = key.flatMap((attribute, index): Filter[] => {
    const value = valueOf(entryOf(model, attribute), texts?.[index]);
    return value === undefined ? [] : [{ attribute, op: 'eq', value }];
  });
  if (leaves.length < key.length) return undefined;
  return leaves.length === 1 ? leaves[0] : { and: leaves };
}

/** The attributes of the key, at least one. */
export function keyOf(model: ModelEntry): readonly string[] {
  const { name, key } = model;
  if (key.length > 0) return key;
  const { reason, remedy } = noKeyOf(model);
  throw new RowError(
    400,
    `${name} has no key by which a grid can tell its records apart: ${reason}. ` +
      `An operator can ${remedy}.`,
  );
}

function entryOf({ attributes }: ModelEntry, attribute: string): AttributeEntry | undefined {
  return attributes.find(({ name }) => name === attribute);
}

function isStructured(entry: AttributeEntry | undefined): boolean {
  return ['json', 'array', 'any'].includes(entry?.type ?? '');
}

/** As JSON where a text of its own would be that of other values, too. */
function textOf(entry: AttributeEntry | undefined, value: unknown): string {
  return isStructured(entry) ? jsonText(value) : String(value);
}

function valueOf(entry: AttributeEntry | undefined, text: string | undefined): unknown {
  if (entry === undefined || text === undefined) return undefined;
  return isStructured(entry) ? readJson(text) : operandOf(entry, text);
}

function readTexts(id: string, count: number): readonly string[] | null {
  const texts = readJson(id);
  return Array.isArray(texts) && texts.length === count ? texts.map(String) : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A record that has its id in the member `id`, where react-admin and Refine look for it. */
export interface RecordWithId extends Row {
  readonly id: string | number;
}

/**
 * Gives a record the member `id`. A key that is the attribute `id` alone stays as it is.
 *
 * @throws {RowError} where `id` is an attribute that is not the key.
 */
export function recordWithId(model: ModelEntry, row: Row): RecordWithId {
  const key = keyOf(model);
  const own = row['id'];
  if (key.length === 1 && key[0] === 'id')
    return { ...row, id: typeof own === 'number' ? own : rowIdOf(model, row) };
  if (!Object.hasOwn(row, 'id')) return { ...row, id: rowIdOf(model, row) };
  throw new RowError(
    400,
    `${model.name} has an attribute "id" that is not its key, ${key.join(', ')}, and the grid ` +
      'knows records by a member of this name. Leave it out of `attributes`.',
  );
}
