import type { WireType } from '@proj/contract';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';

import type { Dialect, Field } from '../source.ts';
import { asDouble, encode } from './encode.ts';
import { textIsOneOf, textMatches } from './text-comparison.ts';

type Expression = RawBuilder<unknown>;

/** PostgreSQL's answers. */
export const postgresDialect: Dialect = {
  kysely: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),

  /**
   * The database writes the JSON text. For the names of three cities:
   *
   *     select '[' || coalesce(string_agg('{"name":' || coalesce(to_json("c0"::text)::text, 'null') || '}', ','), '') || ']'
   *     from (select "t"."name" as "c0" from "public"."cities" as "t" order by "t"."id" asc limit $1 offset $2) as "p"
   */
  rows(fields, { from, where, order, limit, offset }) {
    const columns = fields.map(({ column }, index) => sql`${sql.id('t', column)} as ${alias(index)}`);
    const members = fields.map((field, index) => {
      const key = textLiteral(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`);
      return sql`${key} || coalesce(${encode(alias(index), field)}, 'null')`;
    });
    const element = sql`${sql.join(members, sql` || `)} || '}'`;
    const page = sql`select ${sql.join(columns)} from ${from}${where} order by ${order} limit ${limit} offset ${offset}`;
    return sql`select '[' || coalesce(string_agg(${element}, ','), '') || ']' from (${page}) as ${sql.id('p')}`;
  },

  /** One statement has one snapshot, also at READ COMMITTED. */
  together: (rows, count) => sql`select (${rows}) as ${sql.id('rows')}, (${count}) as ${sql.id('total')}`,

  orderTerm(column, { direction, nulls, nullable, collation }) {
    const collate = collation === undefined ? sql`` : sql` collate ${sql.raw(collation)}`;
    // Said only where it says something: an index serves no order that differs from its own, even where there is no NULL.
    const place = nullable && nulls !== NULLS_BY_DEFAULT[direction] ? sql` nulls ${sql.raw(nulls)}` : sql``;
    return sql`${column}${collate} ${sql.raw(direction)}${place}`;
  },

  comparable: (column, field) =>
    COMPARABLE[field.databaseType]?.(column) ?? (field.type === 'enum' ? sql`${column}::text` : column),

  operand: (value, field) => OPERANDS[field.type]?.(String(value)) ?? sql`${String(value)}`,

  textIsOneOf,
  textMatches,
};

const NULLS_BY_DEFAULT = { asc: 'last', desc: 'first' } as const;

/** Types whose own comparison with a value would not be exact, or would refuse some values. */
const COMPARABLE: Readonly<Record<Field['databaseType'], (column: Expression) => Expression>> = {
  real: asDouble,
  money: (column) => sql`${column}::numeric`,
  '"char"': (column) => sql`${column}::text`,
};

/** A cast keeps the parameter from taking the column's type, which may be too narrow for the value. */
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
  bytes: (value) => sql`decode(${value}, 'base64')`,
  enum: (value) => sql`${value}::text`,
};

function alias(index: number): Expression {
  return sql.id(`c${index}`);
}

/** A literal that means the same whether or not backslashes escape in plain literals (`standard_conforming_strings`). */
function textLiteral(text: string): Expression {
  return text.includes('\\') ? sql`${sql.raw('E')}${sql.lit(text.replaceAll('\\', '\\\\'))}` : sql`${sql.lit(text)}`;
}
