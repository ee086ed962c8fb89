import type { Filter, ModelEntry } from '@proj/client';
import { noKeyOf } from '@proj/contract';

import { RowError } from '../errors/row-error.ts';
import { operandOf } from '../mapping/operand.ts';
import type { Row } from './client.ts';

/**
 * The text by which a grid knows a record: the value of the model's key, or for a key of several
 * attributes their values as a JSON array. Different records have different texts.
 *
 * @throws {RowError} where the caller does not see the whole key.
 */
export function rowIdOf(model: ModelEntry, row: Row): string {
  const values = keyOf(model).map((name) => String(row[name]));
  const [only = ''] = values;
  return values.length === 1 ? only : JSON.stringify(values);
}

/**
 * The filter for the record that a text of {@link rowIdOf} is about.
 *
 * @throws {RowError} where it is no such text.
 */
export function rowFilterOf(model: ModelEntry, id: string | number): Filter {
  const key = keyOf(model);
  const texts = key.length === 1 ? [String(id)] : readTexts(String(id), key.length);
  const leaves = key.map((attribute, index): Filter => {
    const entry = model.attributes.find(({ name }) => name === attribute);
    const value = entry && operandOf(entry, texts?.[index]);
    if (value === undefined)
      throw new RowError(404, `${model.name}: ${JSON.stringify(id)} is the id of no record.`);
    return { attribute, op: 'eq', value };
  });
  const [only] = leaves;
  return leaves.length === 1 && only ? only : { and: leaves };
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

function readTexts(id: string, count: number): readonly string[] | null {
  try {
    const texts: unknown = JSON.parse(id);
    return Array.isArray(texts) && texts.length === count ? texts.map(String) : null;
  } catch {
    return null;
  }
}
