import type { WireType } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import type { FilterValue } from '../../../../engine/src/catalogue/field.ts';
import type { Attribute } from '../../../../engine/src/catalogue/model.ts';
import {
  type Comparison,
  type Condition,
  leavesOf,
} from '../../../../engine/src/planning/condition.ts';
import type { Row } from '../../../../postgres/src/connection/connection.ts';
import { postgresDialect } from '../../../../postgres/src/dialect.ts';
import { countsOf } from '../../../../postgres/src/feed/lists/list-counts.ts';
import { type RowFilter, RowFilters } from '../../../../postgres/src/feed/lists/touched-rows.ts';
import type { Statement } from '../../../../engine/src/sql/statement.ts';
import { connect, usePostgres } from '../server.ts';

const SQL = `
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create type mood as enum ('happy', 'ok', 'sad');
  create table mixed (
    small smallint, price numeric, ratio double precision, day date, at timestamptz,
    word text, code uuid, state mood, name text collate any_case, done boolean
  );
  insert into mixed select
    nullif(n % 23, 7) - 10,
    case n % 11 when 3 then 'NaN' when 4 then null when 5 then 2.50 else (n % 13) * 0.5 end,
    (array['NaN', 'Infinity', '-0', '0', '1.5', null])[1 + n % 6]::float8,
    case n % 9 when 2 then 'infinity' when 3 then null else date '2024-01-01' + n % 17 end,
    timestamptz '2024-01-01 00:00Z' + n % 19 * interval '1 minute',
    (array['a', 'A', 'á', '', null])[1 + n % 5],
    ('00000000-0000-0000-0000-00000000000' || n % 7)::uuid,
    (array['happy', 'ok', 'sad', null])[1 + n % 4]::mood,
    (array['élan', 'Élan', 'eLAN', null])[1 + n % 4],
    nullif(n % 3, 2) = 1
  from generate_series(1, 6000) n`;

type Column = Pick<Attribute, 'type' | 'databaseType'> & { readonly values: readonly string[] };

const OF = (type: WireType, databaseType: string, values: readonly string[]): Column => ({
  type,
  databaseType,
  values,
});

/** Columns that rows are grouped by, with values that filters name. */
const COLUMNS: Readonly<Record<string, Column>> = {
  small: OF('int32', 'smallint', ['40000', '-10', '-1', '0', '3', '11']),
  price: OF('decimal', 'numeric', ['NaN', '0', '1.0', '1', '2.5', '2.500', '4.25']),
  ratio: OF('float64', 'double precision', ['NaN', '0', '-0', '1.5', '1', '-1', 'Infinity']),
  day: OF('date', 'date', ['infinity', '2024-01-03', '2024-01-09', '2024-01-05', '-infinity']),
  at: OF(
    'timestamp_tz',
    'timestamp with time zone',
    [3, 5, 7, 9].map((n) => `2024-01-01T00:0${n}:00Z`),
  ),
  word: OF('text', 'text', ['a', 'A', 'á', '', 'b']),
  code: OF(
    'uuid',
    'uuid',
    [3, 5].map((n) => `00000000-0000-0000-0000-00000000000${n}`),
  ),
  state: OF('enum', 'mood', ['ok', 'sad', 'happy']),
  name: OF('text', 'text collate any_case', ['élan', 'Élan', 'ELAN']),
  done: OF('boolean', 'boolean', ['true', 'false']),
};

/** Answers are texts. */
const TEXTS = { getTypeParser: () => (text: string) => text };

const ORDERING: readonly Comparison['op'][] = ['lt', 'lte', 'gt', 'gte'];
const EQUALITY: readonly Comparison['op'][] = ['eq', 'ne', 'is_distinct'];

/** Conditions on a column, of one comparison, of two, and beside one of another column. */
function conditionsOn(column: string): Condition[] {
  const { type, databaseType, values } = COLUMNS[column] ?? raise(column);
  const attribute = { name: column, column, type, databaseType } as Attribute;
  const compare = (op: Comparison['op'], ...texts: readonly string[]): Condition => ({
    attribute,
    op,
    values: texts.map((text) => valueOf(type, text)),
  });
  const done = { ...attribute, column: 'done', type: 'boolean', databaseType: 'boolean' } as const;
  const ordering = type === 'text' || type === 'boolean' ? [] : ORDERING;
  const all = values.flatMap((value, place) => {
    const other = values[(place + 1) % values.length] ?? value;
    const between = ordering.length > 0 ? [compare('between', value, other)] : [];
    return [
      ...ordering.map((op) => compare(op, value)),
      ...EQUALITY.map((op) => compare(op, value)),
      ...between,
      compare('in', value, other),
      { or: [compare('eq', value), { attribute, op: 'is_null', values: [true] } as const] },
      { not: compare('in', value, other) },
      { and: [compare('eq', value), { attribute: done, op: 'eq', values: [true] } as const] },
      { and: [compare('ne', value), { not: { and: [compare('eq', other)] } }] },
    ];
  });
  return [...all, { attribute, op: 'is_null', values: [false] }];
}

function opsOf(condition: Condition | undefined): string[] {
  return leavesOf(condition).map((leaf) => ('op' in leaf ? leaf.op : 'referred'));
}

function valueOf(type: WireType, text: string): FilterValue {
  if (type === 'boolean') return text === 'true';
  return type === 'int32' ? Number(text) : text;
}

function raise(column: string): never {
  throw new Error(`There is no column ${column}.`);
}

describe('lists that are counted together', () => {
  const database = usePostgres(SQL);

  it.each(Object.keys(COLUMNS))('by %s have as many rows as counted alone', async (column) => {
    const client = await connect(database().url);
    const ask = async ({ sql: text, parameters }: Statement): Promise<Row> => {
      const asked = { text, values: [...parameters], rowMode: 'array', types: TEXTS } as const;
      return (await client.query<Row>(asked)).rows[0] ?? [];
    };
    const terms = { most: 1, dialect: postgresDialect };
    const countSome = async (some: readonly RowFilter[]): Promise<Map<RowFilter, unknown>> => {
      const { lists, statement } = countsOf({ path: ['mixed'] }, some, terms);
      const row = await ask(statement);
      return new Map(lists.map((filter, place) => [filter, row[place]]));
    };
    const known = new RowFilters(postgresDialect);
    const all = conditionsOn(column).map((condition) => known.of(condition));
    const kinds = Map.groupBy(all, ({ condition }) => JSON.stringify(opsOf(condition)));
    // Those of one kind do not name the values at which others begin.
    for (const filters of [all, ...[...kinds.values()].map((some) => some.slice(1))]) {
      for (let left = filters; left.length > 0;) {
        const counts = await countSome(left);
        for (const [filter, count] of counts) {
          const [alone] = (await countSome([filter])).values();
          expect([filter.condition, count]).toEqual([filter.condition, alone]);
        }
        left = left.filter((filter) => !counts.has(filter));
      }
    }
  });
});
