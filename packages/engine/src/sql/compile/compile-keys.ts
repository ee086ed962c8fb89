import { type RawBuilder, sql } from 'kysely';

import type { Plan } from '../../planning/plan.ts';
import { compile } from './compile.ts';
import type { Dialect, KeyDialect } from '../dialect.ts';
import { type KeyRange, orderWithin, rangeCondition } from '../clauses/key-ranges.ts';
import { orderedFields, pageClauses, sortedColumn } from '../clauses/page-clauses.ts';
import type { KeyTemplates } from '../query-statements.ts';
import { LIMIT } from '../statement.ts';

/** Which keys of a list are read. */
export interface KeySelection {
  readonly range: KeyRange;
  /** One of so many keys is read. */
  readonly step: number;
}

/**
 * The keys of consecutive rows of a list; undefined where the database has none. The dialect
 * numbers the rows and selects from them:
 *
 *     select "t"."name" as "k0", "t"."id" as "k1" from "cities" as "t"
 *     where "t"."name" > ? order by "t"."name" asc, "t"."id" asc limit ?
 */
export function compileKeys(
  plan: Plan,
  { keys, ...dialect }: Dialect,
  { range, step }: KeySelection,
): KeyTemplates | undefined {
  const terms = orderedFields(plan);
  if (keys === undefined || !terms.every(({ field }) => keys.isPossible?.(field) ?? true))
    return undefined;
  const rows = selectRows(plan, { ...dialect, keys }, range);
  const columns = terms.map(({ field }, index) => keys.column(keyColumn(index), field));
  const order = sql.join(
    plan.order.map((term, index) => dialect.orderTerm(keyColumn(index), term)),
  );
  return {
    keys: compile(keys.select({ rows, keys: columns, order, step }), dialect, plan.relations),
    rows: compile(rows, dialect, plan.relations),
    keyBytes: terms.reduce((sum, { field }) => sum + (keys.bytesOf?.(field) ?? 0), 0),
  };
}

function selectRows(
  plan: Plan,
  dialect: Dialect & { readonly keys: KeyDialect },
  range: KeyRange,
): RawBuilder<unknown> {
  const ordered = dialect.keys.ordersNull ? plan.order : orderWithin(range, plan.order);
  const { from, where, order } = pageClauses({ ...plan, order: ordered }, dialect, 0);
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
