import {
  type Expression,
  type Field,
  type FilterValue,
  Moments,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { comparedForm } from './date-form.ts';
import { decimalOrder } from './exact-sum.ts';

export function operandOf(value: FilterValue, { type, storedAs, aggregate }: Field): Expression {
  if (aggregate !== undefined) return sql`${decimalOrder(String(value))}`;
  if (storedAs !== undefined)
    return sql`${comparedForm(String(value), Moments.dateForm(type), 'text')}`;
  return OPERANDS[type]?.(value) ?? sql`${value}`;
}

/** What a checked value equals. Byte columns keep texts and numbers, which travel as bytes. */
export function operandsOf(value: FilterValue, field: Field): readonly Expression[] {
  const operand = operandOf(value, field);
  if (field.type !== 'bytes') return [operand];
  const bytes = bytesOf(String(value));
  const text = sql`cast(${operand} as text)`;
  // UTF-16 has a zero byte for each digit, and no text of an odd number of bytes.
  const number = numberOf(bytes.toString('latin1').replaceAll('\0', ''));
  return [
    operand,
    bytes.length % 2 === 0 ? text : ifShownAs(operand, text),
    ...(number === undefined ? [] : [ifShownAs(operand, sql`${number}`)]),
  ];
}

/** Text columns keep bytes, which travel in base64. */
export function textOperandsOf(text: string): readonly Expression[] {
  const bytes = bytesOf(text);
  return bytes.toString('base64') === text ? [sql`${text}`, sql`${bytes}`] : [sql`${text}`];
}

function numberOf(text: string): number | bigint | undefined {
  if (/^-?\d{1,19}$/.test(text)) return BigInt.asIntN(64, BigInt(text));
  const real = Number(text.replace('Inf', 'Infinity'));
  return Number.isNaN(real) ? undefined : real;
}

/** Files differ in their encoding, and versions of SQLite in the digits of reals. */
function ifShownAs(bytes: Expression, value: Expression): Expression {
  const shown = sql`cast(cast(${value} as text) as blob)`;
  return sql`case ${shown} when ${bytes} then ${value} else ${bytes} end`;
}

/** Node binds a number as a real, and a bigint as an integer. */
const OPERANDS: Partial<Record<WireType, (value: FilterValue) => Expression>> = {
  int32: wholeOrReal,
  int64: wholeOrReal,
  decimal: (value) =>
    String(value).endsWith('Infinity') ? sql`${Number(value)}` : sql`cast(${value} as numeric)`,
  // SQLite binds NaN as NULL; a text is larger than every number, as NaN is elsewhere.
  float64: (value) => sql`${Number.isNaN(value) ? 'NaN' : value}`,
  boolean: (value) => sql`${Number(value)}`,
  bytes: (value) => sql`${bytesOf(String(value))}`,
  any: (value) => {
    if (typeof value !== 'string') return sql`${value}`;
    const text = value.slice(1);
    return sql`${value.startsWith('x') ? bytesOf(text) : text}`;
  },
};

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

function wholeOrReal(value: FilterValue): Expression {
  return sql`${typeof value === 'number' ? value : BigInt(value)}`;
}
