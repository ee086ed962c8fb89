import { sql } from 'kysely';

import { asComputed } from '../../planning/group-names.ts';
import type { Aggregate, Group, GroupRows, Rows, TableRows } from '../../planning/list-rows.ts';
import {
  attributesOf,
  type Join,
  type NamedColumn,
  type RelatedValue,
} from '../../planning/condition.ts';
import {
  columnOf,
  listedAs,
  columnsByJoin,
  relationRows,
  type ValueOf,
  valuesOf,
} from './relation-rows.ts';
import { compileCondition, endsOf, referringRows, rejectedNulls } from './condition.ts';
import { joinClauses, pairsOf, withOrigins } from './joins.ts';
import type { Dialect, JoinedPair, Grouping } from '../dialect.ts';
import type { Expression, Placeholder } from '../statement.ts';

export interface RowsNeeded {
  readonly named: readonly NamedColumn[];
  /** Joins whose rows without a match are not needed. */
  readonly inner?: ReadonlySet<number> | undefined;
  readonly base?: Expression | undefined;
}

export function fromRows(rows: Rows, needed: RowsNeeded, dialect: Dialect): Expression {
  if (rows.kind === 'groups') return listedAs(sql`(${groupedRows(rows, needed, dialect)})`);
  const columns = columnsByJoin(needed.named, joinsNeeded(rows, needed));
  const listed = listedAs(listedRows(rows, columns(undefined), dialect));
  return sql`${listed}${joinsFor(rows, needed, dialect)}`;
}

/**
 * With what is counted and summed up of all of them, where the database groups the referring rows
 * once:
 *
 *     (
 *       select "t"."name", coalesce("r0"."a", 0) as "r0" from "customers" as "t"
 *       left join (
 *         select "j0"."customer_id" as "k0", count(*) as "a" from "orders" as "j0"
 *         where "j0"."customer_id" is not null group by 1
 *       ) as "r0" on "t"."id" = "r0"."k0"
 *     )
 */
function listedRows(rows: TableRows, named: ReadonlySet<string>, dialect: Dialect): Expression {
  const { model, related } = rows;
  const grouped = new Map(
    [...named].flatMap((column) => {
      const value = related?.get(column);
      const group = value && groupReferring(value, column, dialect);
      return group === undefined ? [] : [[column, group] as const];
    }),
  );
  const values = valuesIn(rows, dialect);
  if (grouped.size === 0) return relationRows(model, named, values);
  const groups = [...grouped.values()];
  const own = [...named].filter((column) => !grouped.has(column));
  const read = new Set([...own, ...groups.flatMap(({ key }) => key)]);
  const columns = [...named].map((column) => {
    const value = grouped.get(column)?.value;
    return value === undefined ? columnOf({ column }) : sql`${value} as ${sql.id(column)}`;
  });
  const joins = sql.join(
    groups.map(({ join }) => join),
    sql``,
  );
  const listed = listedAs(relationRows(model, read, values));
  return sql`(select ${sql.join(columns)} from ${listed}${joins})`;
}

/** Undefined where groups of equal values may not be what one key is equal to. */
function groupReferring(value: RelatedValue, name: string, dialect: Dialect) {
  const { op, attribute, toOne } = value;
  const pairs = pairsOf(value, endsOf(value));
  if (!pairs.every(isPlain)) return undefined;
  const { from, within } = referringRows(value, attribute, dialect);
  const held = pairs.map((pair) => pair.held);
  const keys = held.map((column, index) => sql`${column} as ${sql.id(`k${index}`)}`);
  const where = whereAll([...held.map((column) => sql`${column} is not null`), within]);
  const found = aggregateOf({ name, op, attribute }, { groups: [] }, dialect);
  const by = sql.join(held.map((_, index) => sql.lit(index + 1)));
  const columns = sql.join([...keys, sql`${found} as ${sql.id('a')}`]);
  const rows = sql`select ${columns} from ${from}${where} group by ${by}`;
  const same = pairs.map((pair, index) => {
    const joined = { ...pair, held: sql.id(name, `k${index}`) };
    return dialect.joins?.equal(joined) ?? sql`${joined.key} = ${joined.held}`;
  });
  const group = sql.id(name, 'a');
  const isCount = op === 'count' || op === 'count_distinct';
  return {
    value: isCount ? sql`coalesce(${group}, 0)` : sortedAs(group, value, dialect),
    join: sql` left join (${rows}) as ${sql.id(name)} on ${sql.join(same, sql` and `)}`,
    key: toOne.key.map(({ column }) => column),
  };
}

const WHOLE = /^(?:tiny|small|medium|big)?int(?:eger|[248])?(?:\(\d+\))?(?: unsigned)?$/i;

/** Whole numbers and UUIDs: equal values are alike in any way to compare them. */
function isPlain({ types, operator = '=' }: JoinedPair): boolean {
  const { key, held } = types;
  const isAlike = (WHOLE.test(key) && WHOLE.test(held)) || (key === 'uuid' && held === 'uuid');
  return isAlike && operator === '=';
}

export function valuesIn({ model, related }: TableRows, dialect: Dialect): ValueOf {
  const stored = valuesOf(model);
  return (column) => {
    const value = related?.get(column);
    return value === undefined ? stored(column) : compileRelated(value, dialect);
  };
}

function compileRelated(value: RelatedValue, dialect: Dialect): Expression {
  const { op, attribute } = value;
  const { from, where } = referringRows(value, attribute, dialect);
  const found = aggregateOf({ name: '', op, attribute }, { groups: [] }, dialect);
  return sortedAs(sql`(select ${found} from ${from} where ${where})`, value, dialect);
}

/** An extreme sorts as its attribute does. */
function sortedAs(found: Expression, { op, attribute }: RelatedValue, dialect: Dialect) {
  const isExtreme = attribute !== undefined && (op === 'min' || op === 'max');
  return isExtreme ? (dialect.groups.single?.(found, attribute) ?? found) : found;
}

function joinsNeeded({ joins }: TableRows, { named }: RowsNeeded): Join[] {
  return withOrigins(joins, new Set(named.map(({ join }) => join)));
}

export function joinsFor(rows: TableRows, needed: RowsNeeded, dialect: Dialect): Expression {
  const { named, inner } = needed;
  return joinClauses({
    joins: joinsNeeded(rows, needed),
    named,
    ...(inner && { inner: new Set(withOrigins(rows.joins, inner).map(({ number }) => number)) }),
    dialect,
    compile: (condition) => compileCondition(condition, dialect),
  });
}

export function groupedRows(
  { aggregates, ...rows }: GroupRows,
  { named, base }: RowsNeeded,
  dialect: Dialect,
): Expression {
  const wanted = new Set(named.map(({ column }) => column));
  const used = aggregates.filter((_, index) => wanted.has(`a${index}`));
  const { groups, from, where } = rowsToGroup({ ...rows, aggregates: used }, dialect, base);
  const groupings = groups.map((group) => groupingOf(group, dialect));
  const columns = [
    ...groupings.map(({ by }, index) => ({ name: `g${index}`, value: by })),
    ...groupings.map(({ by, value = by }, index) => ({ name: `v${index}`, value })),
    ...aggregates.map((one, index) => ({
      name: `a${index}`,
      value: aggregateOf(one, rows, dialect),
    })),
  ].filter(({ name }) => name.startsWith('g') || wanted.has(name));
  const selected = columns.map(({ name, value }) => sql`${value} as ${sql.id(name)}`);
  const bounds = groupings.flatMap((one) => one.bounds ?? []);
  const joined = sql.join([from, ...bounds], sql` cross join `);
  const places = groups.map((_, index) => sql.lit(index + 1));
  const by = places.length === 0 ? sql`` : sql` group by ${sql.join(places)}`;
  return sql`select ${sql.join(selected)} from ${joined}${whereAll([where])}${by}`;
}

/** Dates of bins may be computed once for each row. */
export function rowsToGroup(
  { of: table, condition, groups, aggregates }: GroupRows,
  dialect: Dialect,
  base?: Expression,
) {
  const attributes = [...groups, ...aggregates].flatMap(({ attribute }) => attribute ?? []);
  const needed = {
    named: [...attributes, ...attributesOf(condition)],
    inner: condition && rejectedNulls(condition),
  };
  const rows = {
    from: base ?? fromRows(table, needed, dialect),
    where: condition && compileCondition(condition, dialect),
  };
  const [group] = groups;
  if (group?.by === undefined || !('bins' in group.by)) return { groups, ...rows };
  const { join: _, ...attribute } = asComputed(group.attribute);
  const read = sql`from ${rows.from}${whereAll([rows.where])}`;
  const computed = dialect.groups.computed?.(columnOf(group.attribute), group.attribute, read);
  if (computed === undefined) return { groups, ...rows };
  const binned = { ...group, attribute: { ...attribute, column: 'x' } };
  return { groups: [binned], from: listedAs(computed), where: undefined };
}

export function whereAll(conditions: readonly (Expression | undefined)[]): Expression {
  const all = conditions.filter((one) => one !== undefined);
  return all.length === 0 ? sql`` : sql` where ${sql.join(all, sql` and `)}`;
}

function groupingOf({ attribute, by }: Group, dialect: Dialect): Grouping {
  const column = columnOf(attribute);
  if (by === undefined) return dialect.groups.grouping(column, attribute);
  if ('unit' in by) return dialect.groups.cut(column, attribute, by);
  const bounds = Array.from({ length: by.bins + 1 }, (_, index) => keyAt(by.place + index));
  return dialect.groups.bin(column, attribute, bounds);
}

function aggregateOf(
  { op, attribute }: Aggregate,
  { groups: [group] }: Pick<GroupRows, 'groups'>,
  dialect: Dialect,
): Expression {
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
    case 'added':
      return dialect.groups.added(column, attribute, divisorOf(group?.by));
    default:
      return dialect.groups.extreme(op, column, attribute);
  }
}

export function divisorOf(by: Group['by']): Expression {
  if (by === undefined || !('bins' in by)) throw new Error('Values of bins alone are added so.');
  return keyAt(by.place + by.bins + 1);
}

function keyAt(index: number): Expression {
  const placeholder: Placeholder = { placeholder: 'key', index };
  return sql`${placeholder}`;
}
