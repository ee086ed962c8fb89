import { type RawBuilder, sql } from 'kysely';

import type { Attribute } from '../../catalogue/model.ts';
import type { Aggregate, Group, GroupRows, Rows, TableRows } from '../../planning/list-rows.ts';
import { attributesOf, type NamedColumn } from '../../planning/missing-part.ts';
import { columnOf, listedAs } from './column-of.ts';
import { compileCondition } from './condition.ts';
import { joinClauses, withOrigins } from './joins.ts';
import { rejectedNulls } from './rejected-nulls.ts';
import type { Dialect } from '../dialect.ts';
import type { Grouping } from '../group-clauses.ts';

/** Which columns a statement names, of the listed rows and of those that they lead to. */
export interface RowsNeeded {
  readonly named: readonly NamedColumn[];
  /** The numbers of joins whose rows without a match are not needed. */
  readonly inner?: ReadonlySet<number>;
}

/** What the rows of a list are selected from: joined with what the statement names of it alone. */
export function fromRows(rows: Rows, needed: RowsNeeded, dialect: Dialect): RawBuilder<unknown> {
  if (rows.kind === 'groups') return listedAs(sql`(${groupedRows(rows, needed, dialect)})`);
  return sql`${listedAs(sql.id(...rows.model.path))}${joinsFor(rows, needed, dialect)}`;
}

/** The joins behind the listed rows. */
export function joinsFor(
  { joins }: TableRows,
  { named, inner }: RowsNeeded,
  dialect: Dialect,
): RawBuilder<unknown> {
  return joinClauses({
    joins: withOrigins(joins, new Set(named.map(({ join }) => join))),
    ...(inner && { inner: new Set(withOrigins(joins, inner).map(({ number }) => number)) }),
    dialect,
    compile: (condition) => compileCondition(condition, dialect),
  });
}

/**
 * Groups of rows, with those of their columns that a statement names:
 *
 *     select "t"."country" as "g0", "t"."country" as "v0", count(*) as "a0"
 *     from "cities" as "t" group by 1
 */
function groupedRows(
  { of, condition, groups, aggregates }: GroupRows,
  { named }: RowsNeeded,
  dialect: Dialect,
): RawBuilder<unknown> {
  const wanted = new Set(named.map(({ column }) => column));
  const groupings = groups.map(({ attribute, by }) => groupingOf(attribute, by, dialect));
  const columns = [
    ...groupings.map(({ by }, index) => ({ name: `g${index}`, value: by })),
    ...groupings.map(({ by, value = by }, index) => ({ name: `v${index}`, value })),
    ...aggregates.map((one, index) => ({ name: `a${index}`, value: aggregateOf(one, dialect) })),
  ].filter(({ name }) => name.startsWith('g') || wanted.has(name));
  const used = aggregates.filter((_, index) => wanted.has(`a${index}`));
  const attributes = [...groups, ...used].flatMap(({ attribute }) => attribute ?? []);
  const needed = {
    named: [...attributes, ...attributesOf(condition)],
    ...(condition && { inner: rejectedNulls(condition) }),
  };
  const selected = columns.map(({ name, value }) => sql`${value} as ${sql.id(name)}`);
  const where =
    condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`;
  const places = sql.join(groups.map((_, index) => sql.lit(index + 1)));
  const from = sql`${fromRows(of, needed, dialect)}${where}`;
  return sql`select ${sql.join(selected)} from ${from} group by ${places}`;
}

function groupingOf(attribute: Attribute, by: Group['by'], dialect: Dialect): Grouping {
  const column = columnOf(attribute);
  return by === undefined
    ? dialect.groups.grouping(column, attribute)
    : dialect.groups.cut(column, attribute, by);
}

function aggregateOf({ op, attribute }: Aggregate, dialect: Dialect): RawBuilder<unknown> {
  if (attribute === undefined) return sql`count(*)`;
  const column = columnOf(attribute);
  switch (op) {
    case 'count':
      return sql`count(${column})`;
    case 'count_distinct':
      return sql`count(distinct ${dialect.groups.grouping(column, attribute).by})`;
    case 'sum':
    case 'average':
      return dialect.groups[op](column, attribute);
    default:
      return dialect.groups.extreme(op, column, attribute);
  }
}
