import type { Operator } from '@proj/contract';

import type { ColumnKind, Fixture } from '../fixtures/fixture.ts';
import { type Filter, kindOf, type OracleRequest, type SortTerm } from './oracle-requests.ts';

/** What differs between the databases when one writes SQL by hand. */
export interface Spelling {
  readonly text: (value: string) => string;
  readonly distinct: (column: string, other: string) => string;
  readonly holds: Readonly<
    Record<'contains' | 'starts_with' | 'ends_with', (column: string, part: string) => string>
  >;
  readonly moment: (value: string) => string;
}

const double = (value: string): string => value.replaceAll("'", "''");

const IN_STANDARD_SQL = {
  contains: (column: string, part: string) => `position(${part} in ${column}) > 0`,
  starts_with: (column: string, part: string) => `left(${column}, char_length(${part})) = ${part}`,
  ends_with: (column: string, part: string) => `right(${column}, char_length(${part})) = ${part}`,
};

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  SQLite: {
    text: (value) => `'${double(value)}'`,
    distinct: (column, other) => `${column} is not ${other}`,
    holds: {
      contains: (column, part) => `${column} glob '*' || ${globbed(part)} || '*'`,
      starts_with: (column, part) => `${column} glob ${globbed(part)} || '*'`,
      ends_with: (column, part) => `${column} glob '*' || ${globbed(part)}`,
    },
    moment: (value) => `'${value}'`,
  },
  PostgreSQL: {
    text: (value) => `'${double(value)}'`,
    distinct: (column, other) => `${column} is distinct from ${other}`,
    holds: IN_STANDARD_SQL,
    moment: (value) => `timestamp '${value.replace('T', ' ')}'`,
  },
  DuckDB: {
    text: (value) => `'${double(value)}'`,
    distinct: (column, other) => `${column} is distinct from ${other}`,
    holds: {
      contains: (column, part) => `contains(${column}, ${part})`,
      starts_with: (column, part) => `starts_with(${column}, ${part})`,
      ends_with: (column, part) => `ends_with(${column}, ${part})`,
    },
    moment: (value) => `timestamp '${value.replace('T', ' ')}'`,
  },
  MariaDB: {
    text: (value) => `'${double(value).replaceAll('\\', '\\\\')}' collate utf8mb4_nopad_bin`,
    distinct: (column, other) => `not (${column} <=> ${other})`,
    holds: { ...IN_STANDARD_SQL, contains: (column, part) => `locate(${part}, ${column}) > 0` },
    moment: (value) => `timestamp '${value.replace('T', ' ')}'`,
  },
};

/** How one writes SQL by hand for a database. */
export function spellingOf({ name, family }: Fixture): Spelling {
  const spelling = SPELLINGS[family];
  if (spelling === undefined) throw new Error(`The oracle does not know the SQL of ${name}.`);
  return spelling;
}

/** Statements that print the total and then the ids of the page, each on its own line. */
export function oracleSql(table: string, request: OracleRequest, spelling: Spelling): string {
  const where = request.filter === undefined ? '' : ` where ${condition(request.filter, spelling)}`;
  const order = [...request.sort.map(orderTerm), 'id'].join(', ');
  const skipped = request.size * (request.page - 1);
  return `select count(*) from ${table}${where};\nselect id from ${table}${where} order by ${order} limit ${request.size} offset ${skipped};`;
}

function orderTerm({ attribute, direction = 'asc', nulls }: SortTerm): string {
  const last = nulls === undefined ? direction === 'asc' : nulls === 'last';
  return `case when ${attribute} is null then ${last ? 1 : 0} else ${last ? 0 : 1} end, ${attribute} ${direction}`;
}

const SIGNS: Partial<Record<Operator, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

function condition(filter: Filter, spelling: Spelling): string {
  if ('and' in filter)
    return filter.and.map((part) => `(${condition(part, spelling)})`).join(' and ');
  if ('or' in filter) return filter.or.map((part) => `(${condition(part, spelling)})`).join(' or ');
  if ('not' in filter) return `not (${condition(filter.not, spelling)})`;
  const { attribute, op, value } = filter;
  const values = [value].flat().map((one) => literal(one, kindOf(attribute), spelling));
  const [first = '', second = ''] = values;
  const sign = SIGNS[op];
  if (sign !== undefined) return `${attribute} ${sign} ${first}`;
  switch (op) {
    case 'in':
      return values.map((one) => `${attribute} = ${one}`).join(' or ');
    case 'not_in':
      return values.map((one) => `${attribute} <> ${one}`).join(' and ');
    case 'between':
      // MySQL 9.7 misses rows by `between` with a `collate` at its ends.
      return `(${attribute} >= ${first} and ${attribute} <= ${second})`;
    case 'is_null':
      return `${attribute} is ${value === true ? '' : 'not '}null`;
    case 'is_distinct':
      return spelling.distinct(attribute, first);
    case 'on':
      return `substr(cast(${attribute} as char(30)), 1, 10) = ${spelling.text(String(value))}`;
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return spelling.holds[op](attribute, spelling.text(String(value)));
    case 'ieq':
      return `lower(${attribute}) = ${spelling.text(String(value).toLowerCase())}`;
    case 'icontains':
    case 'istarts_with':
    case 'iends_with': {
      const part = spelling.text(String(value).toLowerCase());
      return spelling.holds[plainName(op)](`lower(${attribute})`, part);
    }
    default:
      throw new Error(`No column of the oracle takes ${op}.`);
  }
}

function plainName(op: 'icontains' | 'istarts_with' | 'iends_with'): keyof Spelling['holds'] {
  return op === 'icontains' ? 'contains' : op === 'istarts_with' ? 'starts_with' : 'ends_with';
}

function literal(value: unknown, kind: ColumnKind, spelling: Spelling): string {
  if (typeof value !== 'string') return number(JSON.stringify(value));
  if (kind === 'text') return spelling.text(value);
  if (kind === 'date') return `'${value}'`;
  return kind === 'timestamp' ? spelling.moment(value) : number(value);
}

/** Some clients take `-1` after a `-`, or a whole number with an exponent, for something else. */
function number(text: string): string {
  return text.startsWith('-') ? `(${text})` : text;
}

/** A pattern of GLOB for a literal, which knows no escape. */
function globbed(part: string): string {
  return part.replaceAll(/[*?[]/g, '[$&]');
}
