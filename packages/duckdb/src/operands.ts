import type { Dialect, Field, FilterValue } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { encode } from './encode.ts';
import { SCALE } from './macros.ts';
import { digitsOf, elementOf, nameOf } from './types.ts';

type Expression = RawBuilder<unknown>;

/** Numbers for which no decimal has two digits more, compared as twice their digits. */
function isWide(databaseType: string): boolean {
  const { width } = digitsOf(databaseType) ?? { width: 38 };
  return width > 36;
}

/** A single compares as its own few digits, nanoseconds as their text, and a label as its text. */
export function comparable(
  column: Expression,
  { databaseType, type, aggregate }: Field,
): Expression {
  if (aggregate !== undefined) return column;
  const name = nameOf(databaseType);
  if (type === 'decimal' && isWide(databaseType)) {
    const isWhole = digitsOf(databaseType) === undefined;
    const digits = isWhole ? column : sql`replace(${column}::varchar, '.', '')`;
    return sql`${digits}::bignum + ${digits}::bignum`;
  }
  if (name === 'FLOAT') return sql`${column}::varchar::double`;
  return type === 'enum' || name === 'TIMESTAMP_NS' ? sql`${column}::varchar` : column;
}

export function operandOf(value: FilterValue, field: Field): Expression {
  const { databaseType, type, aggregate } = field;
  const text = String(value);
  if (aggregate !== undefined) return sql`${scaled(text)}::bignum`;
  switch (type) {
    case 'int32':
    case 'int64':
      return wholeNumber(text);
    case 'decimal':
      return isWide(databaseType) ? twice(text, databaseType) : decimal(text, databaseType);
    case 'float64':
      return sql`${text}::double`;
    case 'boolean':
      return sql`${text}::boolean`;
    case 'uuid':
      return sql`${text}::uuid`;
    case 'date':
      return sql`${ownMoment(text)}::date`;
    case 'time':
      return sql`${text}::${sql.raw(nameOf(databaseType) === 'TIME_NS' ? 'time_ns' : 'time')}`;
    case 'timestamp':
      if (nameOf(databaseType) !== 'TIMESTAMP_NS') return sql`${ownMoment(text)}::timestamp`;
      // Its shortest text.
      return sql`${text
        .replace('T', ' ')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')}`;
    case 'timestamp_tz':
      return sql`${ownMoment(text)}::timestamptz`;
    case 'interval':
      return sql`${ownInterval(text)}::interval`;
    case 'bytes':
      return sql`from_base64(${text})`;
    default:
      return sql`${text}`;
  }
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

/** DuckDB writes `0044-03-15 (BC) 10:00:00` for `0044-03-15T10:00:00 BC`. */
export function ownMoment(text: string): string {
  if (!text.endsWith(' BC')) return text;
  const [day = '', time] = text.slice(0, -3).split('T');
  return time === undefined ? `${day} (BC)` : `${day} (BC) ${time}`;
}

const UNITS: Readonly<Record<string, string>> = {
  Y: ' years ',
  M: ' months ',
  D: ' days ',
  H: ' hours ',
  S: ' seconds ',
};

const CLOCK = String.raw`(-?)(\d+):(\d+):([\d.]+)$`;

/** DuckDB does not read each clock that it writes. */
export function readableInterval(value: Expression): Expression {
  const words = sql.lit(String.raw`\1\2 hours \1\3 minutes \1\4 seconds`);
  return sql`regexp_replace(${value}::varchar, ${sql.lit(CLOCK)}, ${words})`;
}

/** DuckDB reads neither ISO 8601, nor a plus, nor clocks with many hours. */
function ownInterval(text: string): string {
  const words = text.startsWith('P')
    ? text.replace(/(T.*)M/, '$1 minutes ').replaceAll(/[A-Z]/g, (unit) => UNITS[unit] ?? '')
    : text.replace(new RegExp(CLOCK), '$1$2 hours $1$3 minutes $1$4 seconds');
  return words.replaceAll('+', '');
}

function wholeNumber(text: string): Expression {
  const isShort = BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  return sql`${text}::${sql.raw(isShort ? 'bigint' : 'hugeint')}`;
}

interface Digits {
  readonly sign: string;
  readonly whole: string;
  readonly fraction: string;
}

/** Without zeros at either end. */
function readDigits(text: string): Digits | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole + fraction === '') return undefined;
  const shift = Number(exponent);
  const [before, after] = [Math.max(0, -shift), Math.max(0, shift)];
  const padded = `${'0'.repeat(before)}${whole}${fraction}${'0'.repeat(after)}`;
  const point = before + whole.length + shift;
  return {
    sign: sign === '-' ? '-' : '',
    whole: padded.slice(0, point).replace(/^0+/, ''),
    fraction: padded.slice(point).replace(/0+$/, ''),
  };
}

/** A value with more digits than a column has is put half-way between two that it can hold. */
function decimal(text: string, databaseType: string): Expression {
  const { width, scale } = digitsOf(databaseType) ?? { width: 36, scale: 0 };
  const read = readDigits(text);
  const isLarge = read === undefined || read.whole.length > width - scale;
  const whole = isLarge ? `1${'0'.repeat(width - scale)}` : read.whole || '0';
  const fraction = isLarge ? '' : read.fraction;
  const shown = fraction.length <= scale ? fraction : `${fraction.slice(0, scale)}5`;
  const type = sql.raw(`decimal(${width + 1}, ${Math.max(scale, shown.length)})`);
  const sign = read?.sign ?? (text.startsWith('-') ? '-' : '');
  return sql`${`${sign}${whole}.${shown || '0'}`}::${type}`;
}

/** The double of a number's digits, or of what is between two: 2 for 1, 3 for 1.5. */
function twice(text: string, databaseType: string): Expression {
  const digits = readDigits(text);
  if (digits === undefined)
    return sql`${`${text.startsWith('-') ? '-' : ''}1${'0'.repeat(80)}`}::bignum`;
  const { sign, whole, fraction } = digits;
  const { scale } = digitsOf(databaseType) ?? { scale: 0 };
  const held = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  const size = held * 2n + (fraction.length > scale ? 1n : 0n);
  return sql`${String(sign === '-' ? -size : size)}::bignum`;
}

/** Beyond the digits that sums have, a digit more tells from all of them. */
function scaled(text: string): string {
  const digits = readDigits(text);
  if (digits === undefined) {
    if (text === 'NaN') return `2${'0'.repeat(800)}`;
    return `${text.startsWith('-') ? '-' : ''}1${'0'.repeat(800)}`;
  }
  const { sign, whole, fraction } = digits;
  return `${sign}${whole || '0'}${fraction.slice(0, SCALE).padEnd(SCALE, '0')}`;
}
