import type { Dialect, Expression, Field, FilterValue, WireType } from '@proj/engine/database';
import { sql } from 'kysely';

import { asDouble } from './encode.ts';

/** A text as the byte of a `"char"`, in hexadecimal; byte 0 for an empty text. */
function charBytes(text: string): string {
  const [, octal] = /^\\([23][0-7]{2})$/.exec(text) ?? [];
  if (octal !== undefined) return Number.parseInt(octal, 8).toString(16);
  return Buffer.from(text || '\0').toString('hex');
}

/** The operators of a `citext` beyond the search path are not found: those of `text` are. */
export function isFarCitext({ databaseType }: Field): boolean {
  return databaseType.endsWith('.citext');
}

export function inOneCase(text: Expression): Expression {
  return sql`lower(${text}::text)`;
}

export function comparable(column: Expression, field: Field): Expression {
  const { type, databaseType } = field;
  if (isFarCitext(field)) return inOneCase(column);
  return COMPARABLE[databaseType]?.(column) ?? (type === 'enum' ? sql`${column}::text` : column);
}

export function operandOf(value: FilterValue, field: Field): Expression {
  const { type, databaseType } = field;
  if (isFarCitext(field)) return inOneCase(sql`${String(value)}`);
  // A parameter that becomes a name is cut to 63 bytes.
  if (databaseType === 'name') return sql`${String(value)}::text`;
  if (databaseType === '"char"') return sql`decode(${charBytes(String(value))}, 'hex')`;
  return OPERANDS[type]?.(String(value)) ?? sql`${String(value)}`;
}

/** Served by a GiST index. */
export const rangeMeets: NonNullable<Dialect['rangeMeets']> = (column, { value, by }, field) => {
  const { items = 'other', databaseType } = field;
  const type = value.startsWith('{') ? databaseType : databaseType.replace('multi', '');
  if (/^([[({]|empty$)/.test(value)) {
    const operator = sql.raw(by === 'contains' ? '@>' : '&&');
    return sql`${column} ${operator} ${value}::${sql.raw(type)}`;
  }
  const bound = databaseType.startsWith('int4') ? 'int4' : undefined;
  return bound === undefined
    ? sql`${column} @> ${operandOf(value, { ...field, type: items })}`
    : sql`${column} @> ${value}::int4`;
};

/** Their own comparison is inexact, or refuses some values. */
const COMPARABLE: Readonly<Record<Field['databaseType'], (column: Expression) => Expression>> = {
  real: asDouble,
  money: (column) => sql`${column}::numeric`,
  // It sorts by its one byte, which its text shows as `\310` beyond ASCII.
  '"char"': (column) => sql`charsend(${column})`,
};

/** Otherwise a parameter takes the column's type, which may be too narrow. */
const OPERANDS: Partial<Record<WireType, (value: string) => Expression>> = {
  int32: (value) => sql`${value}::int8`,
  int64: (value) => sql`${value}::int8`,
  decimal: (value) => sql`${value}::numeric`,
  float64: (value) => sql`${value}::float8`,
  boolean: (value) => sql`${value}::boolean`,
  uuid: (value) => sql`${value}::uuid`,
  date: (value) => sql`${value}::date`,
  time: (value) => sql`${value}::time`,
  timestamp: (value) => sql`${value}::timestamp`,
  timestamp_tz: (value) => sql`${value}::timestamptz`,
  interval: (value) => sql`${value}::interval`,
  inet: (value) => sql`${value}::inet`,
  bytes: (value) => sql`decode(${value}, 'base64')`,
  enum: (value) => sql`${value}::text`,
};
