import {
  Decimals,
  type Dialect,
  type Expression,
  type Field,
  type FilterValue,
  Moments,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { encode } from './encode.ts';
import { INFINITE, NO_NUMBER, SCALE } from './macros.ts';
import { comparedType, type Digits, digitsOf, elementOf, nameOf, ownMoment } from './types.ts';

/** A decimal that is compared has two digits more; beyond these, they are compared as numbers. */
const MOST_DIGITS = 36;

/** A single compares as its own few digits, nanoseconds as their text, and a label as its text. */
export function comparable(
  column: Expression,
  { databaseType, type, aggregate }: Field,
): Expression {
  if (aggregate !== undefined) return column;
  if (type === 'decimal' && (digitsOf(databaseType)?.width ?? Infinity) > MOST_DIGITS)
    return sql`(replace(${column}::varchar, '.', '') || '0')::bignum`;
  const name = nameOf(databaseType);
  if (name === 'FLOAT') return sql`${column}::varchar::double`;
  return type === 'enum' || name === 'TIMESTAMP_NS' ? sql`${column}::varchar` : column;
}

export function operandOf(value: FilterValue, field: Field): Expression {
  const { databaseType, type, aggregate } = field;
  const text = String(value);
  if (aggregate !== undefined) return sql`${scaled(text)}::bignum`;
  if (type === 'decimal') return decimal(text, digitsOf(databaseType) ?? { width: 38, scale: 0 });
  if (type === 'bytes') return sql`from_base64(${text})`;
  if (type === 'interval') return sql`dynamic_query_read_interval(${text})`;
  // As DuckDB writes nanoseconds.
  const [seconds = '', fraction] = text.replace('T', ' ').split('.');
  if (nameOf(databaseType) === 'TIMESTAMP_NS')
    return sql`${Moments.withFraction(seconds, fraction)}`;
  const compared = comparedType(field);
  return compared === 'VARCHAR' ? sql`${text}` : sql`${ownMoment(text)}::${sql.raw(compared)}`;
}

/** Compares each value by itself: DuckDB would round some of several to the type of others. */
export const holds: Dialect['holds'] = (column, { values, all }, field) => {
  const { databaseType, items = 'other' } = field;
  const isJson = field.type === 'json' || items === 'json';
  const element = { ...field, type: items, databaseType: elementOf(databaseType) ?? databaseType };
  const item = sql.id('v');
  const compared = items === 'other' ? sql`${item}::varchar` : comparable(item, element);
  const same = values.map((value) => sql`${compared} = ${operandOf(value, element)}`);
  const has = (conditions: readonly Expression[]): Expression => {
    const isHeld = sql`lambda ${item}: ${sql.join(conditions, sql` or `)}`;
    return sql`list_contains(list_transform(${column}, ${isHeld}), true)`;
  };
  const each = all ? same.map((one) => has([one])) : [has(same)];
  const found = isJson
    ? jsonHolds(encode(column, field), values.map(String), all)
    : sql.join(each, sql` and `);
  return sql`case when ${column} is not null then ${found} end`;
};

/** @param values JSON texts, numbers in canonical form */
function jsonHolds(json: Expression, values: readonly string[], all: boolean): Expression {
  const wanted = values.map((value) => {
    if (value.startsWith('"')) return sql`${`s${JSON.parse(value)}`}`;
    return sql`${value === 'true' || value === 'false' ? value : `n${value}`}`;
  });
  const has = sql.raw(all ? 'list_has_all' : 'list_has_any');
  return sql`${has}(dynamic_query_items(${json}), [${sql.join(wanted)}]::varchar[])`;
}

/** In tenths of the last digit that a column holds: with more digits, half-way between two. */
function tenthsOf(number: string, scale: number): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  const more = /[1-9]/.test(fraction.slice(scale)) ? '5' : '0';
  return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0') + more);
}

function decimal(text: string, { width, scale }: Digits): Expression {
  const tenths = tenthsOf(text, scale);
  if (width > MOST_DIGITS) return sql`${String(tenths)}::bignum`;
  const most = 10n ** BigInt(width + 1);
  const units = tenths > most ? most : tenths < -most ? -most : tenths;
  // DuckDB skips parts of Parquet files by a decimal of the column's own scale.
  const number = Decimals.trimScaled({ units, scale: scale + 1 }, scale);
  const type = sql.raw(`decimal(${width + 2}, ${number.scale})`);
  return sql`${Decimals.printScaled(number)}::${type}`;
}

/** As sums are, which have zeros at their end. */
function scaled(text: string): string {
  if (text === 'NaN') return NO_NUMBER;
  if (text.endsWith('Infinity')) return text.replace('Infinity', INFINITE);
  const digits = /e/i.test(text) ? Decimals.shortestDigits(Number(text)) : text;
  return String(tenthsOf(digits, SCALE - 1));
}
