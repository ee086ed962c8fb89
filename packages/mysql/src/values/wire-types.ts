import {
  type Expression,
  type Extreme,
  type Extremes,
  type Field,
  Introspection,
  Texts,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

/** By `information_schema.columns.data_type`. All others are `other`. */
const WIRE_TYPES = Introspection.wireTypesByName({
  int32: ['tinyint', 'smallint', 'mediumint', 'int', 'year'],
  int64: ['bigint'],
  decimal: ['decimal'],
  float64: ['float', 'double'],
  text: ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext'],
  enum: ['enum'],
  bytes: ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  date: ['date'],
  time: ['time'],
  timestamp: ['datetime'],
  timestamp_tz: ['timestamp'],
  json: ['json'],
  uuid: ['uuid'],
});

/** Types of at most two values; `boolean` is another name of the first. */
const BOOLEANS = ['tinyint(1)', 'bit(1)'];

export function wireTypeOf(dataType: string, columnType: string): WireType {
  if (BOOLEANS.includes(columnType)) return 'boolean';
  if (dataType === 'int' && columnType.includes('unsigned')) return 'int64';
  return WIRE_TYPES.get(dataType) ?? 'other';
}

const ZERO_DATES: readonly Extreme[] = ['zero_dates'];

const EXTREMES: Extremes = {
  date: ZERO_DATES,
  timestamp: ZERO_DATES,
  timestamp_tz: ZERO_DATES,
  time: ['long_times'],
  // `boolean` is another name of `tinyint(1)`, which holds more numbers.
  boolean: ['numbers'],
  text: ['nul'],
  json: ['nul'],
};

/** What a column of this `column_type` holds beyond the values of its wire type. */
export function extremesOf(columnType: string): Extremes {
  if (hasEmptyLabel(columnType))
    return { ...EXTREMES, enum: ['empty_label'], text: ['nul', 'empty_label'] };
  if (columnType.startsWith('bit')) return {};
  return columnType.includes('unsigned') ? { ...EXTREMES, int64: ['unsigned'] } : EXTREMES;
}

/** `enum('a','')`, where a quote in a label is doubled. */
function hasEmptyLabel(columnType: string): boolean {
  const labels = columnType.startsWith('enum(') ? columnType.matchAll(/'((?:[^']|'')*)'/g) : [];
  return [...labels].some(([, label]) => label === '');
}

/** As in {@link Dialect}: days that the calendar does not have, and numbers among booleans. */
export function misfits(column: Expression, { type }: Field): Expression | undefined {
  if (type === 'boolean') return sql`${column} not in (0, 1)`;
  if (type !== 'date' && type !== 'timestamp' && type !== 'timestamp_tz') return undefined;
  // In `where`, `is null` also finds `0000-00-00` in a date column that takes no NULL.
  return sql`(${column} + interval 0 day) <=> null and not ${column} <=> null`;
}

const BASIC_PLANE = '\u0080-\uffff';

const CHARACTERS: Readonly<Record<string, () => string>> = {
  ascii: () => '',
  latin1: () => `${Texts.singleByteCharacters('windows-1252')}\u0081\u008d\u008f\u0090\u009d`,
  utf8: () => BASIC_PLANE,
  utf8mb3: () => BASIC_PLANE,
  ucs2: () => BASIC_PLANE,
  latin2: () => Texts.singleByteCharacters('iso-8859-2'),
  cp1250: () => Texts.singleByteCharacters('windows-1250'),
  cp1257: () => Texts.singleByteCharacters('windows-1257'),
  cp1251: () => Texts.singleByteCharacters('windows-1251'),
  koi8r: () => Texts.singleByteCharacters('koi8-r'),
};

/** For collations that lack known characters; not for sets mixing one and two bytes a character. */
export function encodingOf(collation: string): Texts.Encoding | undefined {
  const [name = ''] = collation.split('_');
  const characters = CHARACTERS[name]?.();
  return characters === undefined ? undefined : { name, characters };
}
