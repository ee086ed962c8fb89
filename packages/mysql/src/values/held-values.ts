import type { Dialect, Expression } from '@proj/engine/database';
import { sql } from 'kysely';

import { bounded, bytesOf } from './operands.ts';
import { like, patternOf } from './text-comparison.ts';

const [JSON_TEXT, TEXT] = [sql.id('e', 'j'), sql.id('e', 's')];

/** `member of` and `json_contains` of the two products differ, and round numbers. */
export const holds: Dialect['holds'] = (column, { values, all }) => {
  // MySQL takes no column of a view or of a selection.
  const items = sql`json_table(coalesce(${column}), '$[*]' columns (
      j json path '$', s longtext character set utf8mb4 path '$'
    )) as ${sql.id('e')}`;
  const wanted = [...new Set(values)].map((value) => sameAs(String(value)));
  const held = all
    ? sql`(select count(distinct case ${numbered(wanted)} end) from ${items}) = ${wanted.length}`
    : sql`exists (select 1 from ${items} where ${sql.join(wanted, sql` or `)})`;
  const parts = values.map((value) => mayHold(column, String(value)));
  const may = sql.join(parts, sql.raw(all ? ' and ' : ' or '));
  const holdsAll = sql`(${may}) and json_type(${column}) = 'ARRAY' and ${held}`;
  return sql`case when ${column} is not null then ${holdsAll} end`;
};

/** Few others pass: a look at the text takes a tenth of the time, and escapes need a backslash. */
function mayHold(column: Expression, value: string): Expression {
  const has = (pattern: string): Expression =>
    like(bytesOf(column), sql`cast(${pattern} as binary)`);
  if (value.startsWith('"'))
    return sql`(${has(patternOf(JSON.parse(value) as string, 'anywhere'))} or ${has('%\\%')})`;
  const [, digits = value] = /^-?(\d+)e/.exec(value) ?? [];
  return has(`%${digits.split('').join('%')}%`);
}

function numbered(conditions: readonly Expression[]): Expression {
  const cases = conditions.map((condition, index) => sql`when ${condition} then ${sql.lit(index)}`);
  return sql.join(cases, sql` `);
}

const NUMBERS = sql.raw(`('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')`);

/** @param value as JSON, a number in canonical form */
function sameAs(value: string): Expression {
  const type = sql`json_type(${JSON_TEXT})`;
  if (value === 'true' || value === 'false') return sql`${type} = 'BOOLEAN' and ${TEXT} = ${value}`;
  if (!value.startsWith('"')) return sql`${type} in ${NUMBERS} and ${isNumber(value)}`;
  const text = sql`cast(${JSON.parse(value)} as binary)`;
  return sql`${type} = 'STRING' and cast(${TEXT} as binary) = ${text}`;
}

/** By its digits: as written, or with any exponent that gives about the same number. */
function isNumber(canonical: string): Expression {
  if (canonical === '0') return sql`${TEXT} regexp '^-?[0.]+([eE].*)?$'`;
  const [, sign = '', digits = '', exponent = ''] = /^(-?)(\d+)e(.+)$/.exec(canonical) ?? [];
  const scaled = `^${sign}[0.]*${digits.split('').join('[.]?')}[0.]*[eE]`;
  const bounds = [0.9, 1.1].map((factor) => bounded(Number(canonical) * factor));
  const [least, most] = bounds.toSorted((a, b) => a - b);
  const isNear = sql`(${TEXT} + 0e0) between ${least} and ${most}`;
  const plain = plainPattern(digits, Number(exponent));
  return sql`(${TEXT} regexp ${`^${sign}${plain}$`} or ${TEXT} regexp ${scaled} and ${isNear})`;
}

function plainPattern(digits: string, exponent: number): string {
  if (exponent >= 0) return `${digits}${'0'.repeat(exponent)}([.]0+)?`;
  const all = digits.padStart(1 - exponent, '0');
  return `${all.slice(0, exponent)}[.]${all.slice(exponent)}0*`;
}
