import { type Field, type FilterValue, Moments, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { decimalOrder } from './decimal-order.ts';
import { comparedForm } from './date-form.ts';

type Expression = RawBuilder<unknown>;

/** A checked value as it is compared with a column. */
export function operandOf(value: FilterValue, { type, storedAs, aggregate }: Field): Expression {
  if (aggregate !== undefined) return sql`${decimalOrder(String(value))}`;
  if (storedAs !== undefined)
    return sql`${comparedForm(String(value), Moments.dateForm(type), 'text')}`;
  return OPERANDS[type]?.(value) ?? sql`${value}`;
}

/**
 * What a checked value equals. A column of bytes keeps texts and numbers as what they are, and they
 * travel as the bytes of their text.
 */
export function operandsOf(value: FilterValue, field: Field): readonly Expression[] {
  const operand = operandOf(value, field);
  if (field.type !== 'bytes') return [operand];
  const text = Buffer.from(String(value), 'base64').toString('latin1');
  const others = [...wholeNumber(text), ...realNumber(text, operand)];
  return [operand, sql`cast(${operand} as text)`, ...others];
}

/** What a text equals in a column of texts. One keeps bytes as they are; these travel in base64. */
export function textOperandsOf(text: string): readonly Expression[] {
  const bytes = bytesOf(text);
  return bytes.toString('base64') === text ? [sql`${text}`, sql`${bytes}`] : [sql`${text}`];
}

/** The number that SQLite prints so. */
function wholeNumber(text: string): Expression[] {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return [];
  const number = BigInt(text);
  return BigInt.asIntN(64, number) === number ? [sql`${number}`] : [];
}

/** The same of reals, of which each version of SQLite prints as many digits as it likes. */
function realNumber(text: string, otherwise: Expression): Expression[] {
  if (!/^-?(?:\d+\.\d+(?:e[+-]\d+)?|Inf)$/.test(text)) return [];
  const number = Number(text.replace('Inf', 'Infinity'));
  return [sql`case cast(${number} as text) when ${text} then ${number} else ${otherwise} end`];
}

/** How a checked value is bound. Node binds a number as a real, and a bigint as an integer. */
const OPERANDS: Partial<Record<WireType, (value: FilterValue) => Expression>> = {
  int32: wholeOrReal,
  int64: wholeOrReal,
  decimal: (value) =>
    String(value).endsWith('Infinity') ? sql`${Number(value)}` : sql`cast(${value} as numeric)`,
  // Bound as it is, NaN would be NULL; a text is larger than every number, as NaN does elsewhere.
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
