import { Decimals } from '@proj/engine/database';

import type { SqlValue } from './date-form.ts';

/** Whether a JSON array holds some or all of the values of another. */
export function holdsValues(json: SqlValue, wanted: SqlValue, all: SqlValue): bigint | null {
  if (json === null) return null;
  const held = typeof json === 'string' ? valuesOf(json) : NONE;
  const values = wantedOf(String(wanted));
  const isHeld = (value: string): boolean => held.has(value);
  return BigInt(Number(all) === 1 ? values.every(isHeld) : values.some(isHeld));
}

let last: { readonly json: string; readonly values: readonly string[] } = { json: '', values: [] };

/** Those of a statement are the same in each row. */
function wantedOf(json: string): readonly string[] {
  if (last.json !== json) last = { json, values: [...valuesOf(json)] };
  return last.values;
}

const NONE: ReadonlySet<string> = new Set();

/** In canonical JSON texts; empty for what is no array. */
function valuesOf(json: string): ReadonlySet<string> {
  if (!/^\s*\[/.test(json)) return NONE;
  try {
    return new Set((parse(json, canonical) as unknown[]).map((item) => String(item)));
  } catch {
    return NONE;
  }
}

/** With the text of each number, which TypeScript does not know yet. */
const parse = JSON.parse as (
  json: string,
  read: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Objects and nested arrays are no values that a filter names. */
function canonical(key: string, value: unknown, { source = '' }: { readonly source?: string }) {
  if (typeof value === 'number') return Decimals.canonicalNumber(source);
  if (typeof value === 'object') return key === '' ? value : '';
  return JSON.stringify(value);
}
