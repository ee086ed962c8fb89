import type { AttributeEntry } from '@proj/contract';
import { catalogueEntry, type Engine, EVERYTHING } from '@proj/engine';

const NUMBERS = new Set(['int32', 'float64']);

/** Whether a value is among those that the catalogue, and so `dq types`, says of an attribute. */
function saysTypeOf(entry: AttributeEntry, value: unknown): boolean {
  const { type, nullable, special_values: special = [], misfits } = entry;
  if (value === null) return nullable || type === 'json';
  if (type === 'json' || type === 'any') return true;
  if (type === 'array') return Array.isArray(value);
  if (typeof value === 'boolean') return type === 'boolean';
  if (typeof value === 'number') return NUMBERS.has(type);
  if (typeof value !== 'string') return false;
  if (type !== 'boolean' && !NUMBERS.has(type)) return true;
  if (special.includes(value)) return true;
  const forms: Readonly<Record<string, RegExp>> = { any: /^/, numbers: /^-?\d+(\.\d+)?$/ };
  return misfits !== undefined && forms[misfits]?.test(value) === true;
}

/** The attributes of a model with a value that the catalogue does not say, each with that value. */
export function unsaidValues(
  engine: Engine,
  model: string,
  records: readonly Record<string, unknown>[],
): string[] {
  const entry = catalogueEntry(engine.catalogue, EVERYTHING, model);
  return (entry?.attributes ?? []).flatMap((attribute) =>
    records
      .map((record) => record[attribute.name])
      .filter((value) => value !== undefined && !saysTypeOf(attribute, value))
      .map((value) => `${attribute.name} ${attribute.type}: ${JSON.stringify(value)}`),
  );
}
