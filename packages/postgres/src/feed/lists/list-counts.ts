import {
  columnOf,
  compile,
  type Dialect,
  type FilterValue,
  type Operator,
} from '@proj/engine/database';
import {
  type Attribute,
  type Comparison,
  compileCondition,
  type Condition,
  listedAs,
} from '@proj/engine/following';
import { type RawBuilder, sql } from 'kysely';

import type { AskRow } from '../../connection/connection.ts';
import { comparisonsOf, groupOf, type ListGroup } from './list-group.ts';
import { countWhere, inStatements, type RowFilter } from './row-filter.ts';
import type { KeyedRelation } from './touched-rows.ts';

/** Counts all filters that share a column with the first, or else up to `most`. */
export async function countLists(
  rows: CountedRows,
  filters: readonly RowFilter[],
  most: number,
): Promise<ReadonlyMap<RowFilter, bigint>> {
  const [asked = []] = inStatements(filters, (filter) => filter);
  const group = groupOf(asked);
  return group === undefined ? eachCount(rows, asked.slice(0, most)) : groupedCounts(rows, group);
}

/**
 * Checks each row against each filter. For the orders of two customers:
 *
 *     select count(*) filter (where ("t"."customer" in (1))), count(*) filter (where …)
 *     from "shop"."orders" as "t" where ("t"."customer" in (1)) or (…)
 *
 * Without the last line no index would be of use.
 */
async function eachCount(
  { relation: { path }, dialect, ask }: CountedRows,
  filters: readonly RowFilter[],
): Promise<ReadonlyMap<RowFilter, bigint>> {
  if (filters.length === 0) return new Map();
  const counts = sql.join(filters.map(countWhere));
  const met = filters.map((filter) => sql`(${filter.sql})`);
  const rows = listedAs(sql.id(...path));
  const statement = sql`select ${counts} from ${rows} where ${sql.join(met, sql` or `)}`;
  const row = await ask(compile(statement, dialect, [path]));
  return new Map(filters.map((filter, place) => [filter, BigInt(row[place] ?? 0)]));
}

export interface CountedRows {
  readonly relation: Pick<KeyedRelation, 'path'>;
  readonly dialect: Dialect;
  readonly ask: AskRow;
}

/** Where a range begins or ends: `lt` before a value, `lte` behind it. */
interface Cut {
  readonly op: 'lt' | 'lte';
  readonly value: FilterValue;
}

const GROUP = sql.id('dynamic_query group');

/**
 * Counts many lists in about the time of a few: groups rows by what filters distinguish in one
 * column, then checks filters against one row a group. For the open orders of some customers:
 *
 *     select sum("rest 0") filter (where "t"."customer" in (1)), sum("rest 0") filter (where …)
 *     from (
 *       select "t"."customer", count(*) filter (where "t"."open" in (true)) as "rest 0"
 *       from "shop"."orders" as "t" where "t"."customer" in (1, …)
 *       group by "t"."customer"
 *     ) as "t"
 *
 * For ranges, groups lie between neighbours of all the filters' values, which the database sorts; a
 * few comparisons find a row's group.
 */
async function groupedCounts(
  { relation: { path }, dialect, ask }: CountedRows,
  { attribute, values, lists }: ListGroup,
): Promise<ReadonlyMap<RowFilter, bigint>> {
  const rests = new Map<string, RawBuilder<unknown>>();
  const all = (parts: readonly Condition[]): RawBuilder<unknown> =>
    compileCondition({ and: parts }, dialect);
  // Lists that differ in this column alone share a count.
  const restOf = (parts: readonly Condition[]): RawBuilder<unknown> => {
    const condition = parts.length === 0 ? sql`true` : all(parts);
    const { sql: text, parameters } = compile(condition, dialect);
    const key = JSON.stringify([text, parameters]);
    rests.set(key, countWhere({ sql: condition }));
    return sql.id(`rest ${[...rests.keys()].indexOf(key)}`);
  };
  const sums = lists.map(
    ({ ofColumn, rest }) => sql`coalesce(sum(${restOf(rest)}) filter (where ${all(ofColumn)}), 0)`,
  );
  const counts = [...rests.values()].map(
    (count, place) => sql`${count} as ${sql.id(`rest ${place}`)}`,
  );
  const parts = {
    attribute,
    rows: listedAs(sql.id(...path)),
    asked: sql.join([...columnsOf(lists)].map((column) => columnOf({ column }))),
    counts: sql.join(counts),
    dialect,
  };
  const groups =
    values === undefined
      ? groupsOfRanges(parts, await sortedCuts(lists, parts, ask))
      : groupsOfValues(parts, values);
  const statement = sql`select ${sql.join(sums)} from ${listedAs(sql`(${groups})`)}`;
  const row = await ask(compile(statement, dialect, [path]));
  return new Map(lists.map(({ filter }, place) => [filter, BigInt(row[place] ?? 0)]));
}

function columnsOf(lists: ListGroup['lists']): Set<string> {
  const conditions = lists.flatMap(({ filter }) => filter.condition ?? []);
  return new Set(conditions.flatMap(comparisonsOf).map(({ attribute }) => attribute.column));
}

interface GroupParts {
  readonly attribute: Attribute;
  readonly rows: RawBuilder<unknown>;
  readonly asked: RawBuilder<unknown>;
  readonly counts: RawBuilder<unknown>;
  readonly dialect: Dialect;
}

function groupsOfValues(
  { attribute, rows, counts, dialect }: GroupParts,
  values: readonly FilterValue[],
): RawBuilder<unknown> {
  const column = columnOf(attribute);
  const among = compileCondition({ attribute, op: 'in', values }, dialect);
  return sql`select ${column}, ${counts} from ${rows} where ${among} group by ${column}`;
}

/** Without `offset 0` the planner expects too many groups, and sorts the rows. */
function groupsOfRanges(
  { attribute, rows, asked, counts, dialect }: GroupParts,
  cuts: readonly Cut[],
): RawBuilder<unknown> {
  const column = columnOf(attribute);
  const tests = cuts.map(({ op, value }) =>
    compileCondition({ attribute, op, values: [value] }, dialect),
  );
  const place = sql`case when ${column} is not null then ${placeAmong(tests)} end`;
  const placed = listedAs(sql`(select ${asked}, ${place} as ${GROUP} from ${rows} offset 0)`);
  return sql`
    select min(${column}) as ${sql.id(attribute.column)}, ${counts}
    from ${placed} group by ${GROUP}`;
}

async function sortedCuts(
  lists: ListGroup['lists'],
  { attribute, dialect }: GroupParts,
  ask: AskRow,
): Promise<Cut[]> {
  const conditions = lists.flatMap(({ ofColumn }) => ofColumn);
  const cuts = distinctCuts(conditions.flatMap(comparisonsOf).flatMap(cutsOf));
  if (cuts.length === 0) return [];
  const numbered = cuts.map(
    ({ value }, place) => sql`(${sql.lit(place)}, ${dialect.operand(value, attribute)})`,
  );
  const values = sql`(values ${sql.join(numbered)}) as v (n, v)`;
  const [order] = await ask(compile(sql`select json_agg(n order by v, n) from ${values}`, dialect));
  return (JSON.parse(order ?? '[]') as number[]).flatMap((place) => cuts[place] ?? []);
}

/** Where these comparisons with a value change; others do on both sides of it. */
const CUT: Partial<Record<Operator, Cut['op']>> = { lt: 'lt', gte: 'lt', lte: 'lte', gt: 'lte' };

function cutsOf({ op, values }: Comparison): Cut[] {
  const named = op === 'is_null' ? [] : values.filter((value) => value !== null);
  const one = CUT[op];
  const ops = one === undefined ? (['lt', 'lte'] as const) : [one];
  return named.flatMap((value) => ops.map((cut) => ({ op: cut, value })));
}

/** Those before their values come first, to sort before others of equal values. */
function distinctCuts(cuts: readonly Cut[]): Cut[] {
  const named = new Map(cuts.map((cut) => [`${cut.op} ${cut.value}`, cut]));
  const sorted = [...named.values()];
  return [...sorted.filter(({ op }) => op === 'lt'), ...sorted.filter(({ op }) => op === 'lte')];
}

/** The place of the first passing test; all tests after it pass, too. */
function placeAmong(
  tests: readonly RawBuilder<unknown>[],
  from = 0,
  to = tests.length,
): RawBuilder<unknown> {
  const middle = Math.floor((from + to) / 2);
  const test = tests[middle];
  if (from === to || test === undefined) return sql.lit(from);
  const [before, behind] = [placeAmong(tests, from, middle), placeAmong(tests, middle + 1, to)];
  return sql`case when ${test} then ${before} else ${behind} end`;
}
