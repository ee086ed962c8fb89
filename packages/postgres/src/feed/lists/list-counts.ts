import {
  columnOf,
  compile,
  type Dialect,
  type Expression,
  type Statement,
  type WireType,
} from '@proj/engine/database';
import {
  type Attribute,
  type Comparison,
  compileCondition,
  type Condition,
  conjunctsOf,
  listedAs,
} from '@proj/engine/following';
import { sql } from 'kysely';

import type { Row } from '../../connection/connection.ts';
import { countWhere, inStatements, type KeyedRelation, type RowFilter } from './touched-rows.ts';

/** Fewer lists are counted as if they had nothing in common. */
const LEAST_LISTS = 4;

/** Types that group by the equality of filters. */
const GROUPED: ReadonlySet<WireType> = new Set<WireType>([
  'boolean',
  'int32',
  'int64',
  'decimal',
  'float64',
  'date',
  'timestamp',
  'timestamp_tz',
  'uuid',
  'enum',
]);

/** Texts that are equal only if they have the same bytes. */
const EXACT_TEXT = /^(text|character varying(\(\d+\))?)$/;

/** Of those that are counted singly, in one statement. */
const MOST_LISTS = 64;

/** In milliseconds. A count this slow gets no more lists at a time. */
const LONGEST_MS = 1000;

/** Without an index, counting many lists takes little longer than one: start with one, and grow. */
export class CountBatch {
  #size = 1;
  #eachMs = Infinity;

  get size(): number {
    return this.#size;
  }

  /** Groups of more lists say nothing of the next batch. */
  async timed(lists: number, count: () => Promise<Row>) {
    const started = performance.now();
    const counts = await count();
    const tookMs = performance.now() - started;
    if (lists <= this.#size) this.note(lists, tookMs);
    return { counts, tookMs };
  }

  note(lists: number, ms: number): void {
    const isFull = lists >= this.#size;
    const [beforeMs, eachMs] = [this.#eachMs, ms / lists];
    if (isFull) this.#eachMs = eachMs;
    if (ms >= LONGEST_MS || eachMs > beforeMs) this.#size = Math.ceil(this.#size / 2);
    else if (isFull) this.#size = Math.min(2 * this.#size, MOST_LISTS);
  }
}

interface ListCounts {
  readonly lists: readonly RowFilter[];
  /** Its values are their rows. */
  readonly statement: Statement;
}

/** Of all lists that share a column with the first, or else of up to `most`. */
export function countsOf(
  { path }: Pick<KeyedRelation, 'path'>,
  filters: readonly RowFilter[],
  { most, dialect }: { readonly most: number; readonly dialect: Dialect },
): ListCounts {
  const [asked = []] = inStatements(filters, (filter) => filter);
  const group = groupOf(asked);
  const lists = group?.lists.map(({ filter }) => filter) ?? asked.slice(0, most);
  const rows = listedAs(sql.id(...path));
  const counts = group === undefined ? eachCount(rows, lists) : groupedCounts(rows, group, dialect);
  return { lists, statement: compile(counts, dialect, [path]) };
}

/** Without a condition on rows no index would be of use. */
function eachCount(rows: Expression, filters: readonly RowFilter[]): Expression {
  const counts = sql.join(filters.map(countWhere));
  const met = filters.map((filter) => sql`(${filter.sql})`);
  return sql`select ${counts} from ${rows} where ${sql.join(met, sql` or `)}`;
}

/** Lists of the values of one column. */
interface ListGroup {
  readonly attribute: Attribute;
  readonly lists: readonly SplitFilter[];
}

interface SplitFilter {
  readonly filter: RowFilter;
  readonly ofColumn: readonly Comparison[];
  readonly rest: readonly Condition[];
}

/** The filters that share most with the first; undefined for few. */
function groupOf(filters: readonly RowFilter[]): ListGroup | undefined {
  const groups = conjunctsOf(filters[0]?.condition)
    .filter(namesValues)
    .map(({ attribute }) => ({
      attribute,
      lists: filters
        .map((filter) => split(filter, attribute))
        .filter(({ ofColumn }) => ofColumn.length > 0),
    }));
  const [best] = groups.toSorted((one, other) => other.lists.length - one.lists.length);
  return best !== undefined && best.lists.length >= LEAST_LISTS ? best : undefined;
}

function split(filter: RowFilter, { column, type, databaseType }: Attribute): SplitFilter {
  const parts = conjunctsOf(filter.condition);
  const ofColumn = parts
    .filter(namesValues)
    .filter(
      ({ attribute: one }) =>
        one.column === column && one.type === type && one.databaseType === databaseType,
    );
  const rest = parts.filter((part) => !ofColumn.some((one) => one === part));
  return { filter, ofColumn, rest };
}

function namesValues(condition: Condition): condition is Comparison {
  if (!('op' in condition) || (condition.op !== 'eq' && condition.op !== 'in')) return false;
  const { join, type, databaseType } = condition.attribute;
  return join === undefined && (GROUPED.has(type) || EXACT_TEXT.test(databaseType));
}

/**
 * Counts many lists in about the time of a few: groups rows by the values that filters name in one
 * column, then checks filters against one row a group. For the open orders of some customers:
 *
 *     select sum("rest 0") filter (where "t"."customer" in (1)), sum("rest 0") filter (where …)
 *     from (
 *       select "t"."customer", count(*) filter (where "t"."open" in (true)) as "rest 0"
 *       from "shop"."orders" as "t"
 *       where "t"."customer" in (1, …) and "t"."open" in (true)
 *       group by "t"."customer"
 *     ) as "t"
 */
function groupedCounts(
  rows: Expression,
  { attribute, lists }: ListGroup,
  dialect: Dialect,
): Expression {
  const rests = new Map<string, Expression>();
  const all = (parts: readonly Condition[]): Expression =>
    compileCondition({ and: parts }, dialect);
  // Lists that differ in this column alone share a count.
  const restOf = (parts: readonly Condition[]): Expression => {
    const condition = parts.length === 0 ? sql`true` : all(parts);
    const { sql: text, parameters } = compile(condition, dialect);
    const key = JSON.stringify([text, parameters]);
    rests.set(key, condition);
    return sql.id(`rest ${[...rests.keys()].indexOf(key)}`);
  };
  const sums = lists.map(
    ({ ofColumn, rest }) => sql`coalesce(sum(${restOf(rest)}) filter (where ${all(ofColumn)}), 0)`,
  );
  const counts = [...rests.values()].map(
    (condition, place) => sql`${countWhere({ sql: condition })} as ${sql.id(`rest ${place}`)}`,
  );
  const named = lists.flatMap(({ ofColumn }) => ofColumn.flatMap(({ values }) => values));
  const among = compileCondition({ attribute, op: 'in', values: [...new Set(named)] }, dialect);
  const column = columnOf(attribute);
  // What all lists share leaves out rows before they are grouped.
  const [shared = sql`true`] = rests.size === 1 ? rests.values() : [];
  const grouped = sql`${rows} where ${among} and ${shared} group by ${column}`;
  const groups = sql`select ${column}, ${sql.join(counts)} from ${grouped}`;
  return sql`select ${sql.join(sums)} from ${listedAs(sql`(${groups})`)}`;
}
