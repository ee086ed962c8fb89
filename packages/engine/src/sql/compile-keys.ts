import { type RawBuilder, sql } from 'kysely';

import type { Plan } from '../planning/plan.ts';
import { compile } from './compile.ts';
import type { Dialect, KeyDialect } from './dialect.ts';
import { type KeyRange, rangeCondition } from './key-ranges.ts';
import { orderedFields, pageClauses, sortedColumn } from './page-clauses.ts';
import type { KeyTemplates } from './query-statements.ts';
import { LIMIT } from './statement.ts';

/** Which keys of a list are read. */
export interface KeySelection {
  readonly range: KeyRange;
  /** One of so many keys is read. */
  readonly step: number;
}

/**
 * The keys of consecutive rows of a list; undefined where the database has none. The dialect
 * selects from all of them with their places:
 *
 *     select *, row_number() over () - 1 as "n", lead(1) over () is null as "last"
 *     from (
 *       select "t"."name" as "k0", "t"."id" as "k1" from "cities" as "t"
 *       where "t"."name" > ? order by "t"."name" asc, "t"."id" asc limit ?
 *     ) as "r"
 */
export function compileKeys(
  plan: Plan,
  { keys, ...dialect }: Dialect,
  { range, step }: KeySelection,
): KeyTemplates | undefined {
  if (keys === undefined) return undefined;
  const rows = selectRows(plan, { ...dialect, keys }, range);
  const [number, last] = [sql.id('n'), sql.id('last')];
  const numbered = sql`select *,
      row_number() over () - 1 as ${number},
      lead(1) over () is null as ${last}
    from (${rows}) as ${sql.id('r')}`;
  const columns = orderedFields(plan).map(({ field }, index) =>
    keys.column(keyColumn(index), field),
  );
  return {
    keys: compile(keys.select({ numbered, keys: columns, step }), dialect),
    rows: compile(rows, dialect),
  };
}

function selectRows(
  plan: Plan,
  dialect: Dialect & { readonly keys: KeyDialect },
  range: KeyRange,
): RawBuilder<unknown> {
  const { from, where, order } = pageClauses(plan, dialect, 0);
  const terms = orderedFields(plan);
  const columns = terms.map(
    ({ term }, index) => sql`${sortedColumn(term, dialect)} as ${keyColumn(index)}`,
  );
  const condition = rangeCondition(terms, dialect, range);
  const joint = plan.condition === undefined ? sql` where ` : sql` and `;
  const within = condition === undefined ? where : sql`${where}${joint}${condition}`;
  return sql`select ${sql.join(columns)} from ${from}${within} order by ${order} limit ${LIMIT}`;
}

function keyColumn(index: number): RawBuilder<unknown> {
  return sql.id(`k${index}`);
}
