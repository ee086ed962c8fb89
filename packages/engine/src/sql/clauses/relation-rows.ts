import { sql } from 'kysely';

import type { Model } from '../../catalogue/model.ts';
import { attributesOf, type Join, type NamedColumn } from '../../planning/condition.ts';
import type { Expression } from '../statement.ts';

const LISTED = 't';
/** What this engine calls rows. */
const ALIAS = /^[jt]\d*$/i;

export function columnOf({ column, join }: NamedColumn): Expression {
  return sql.id(aliasOf(join), column);
}

/** Over a selection, MySQL takes the `"t"."c0"` of an order for an output named `c0`. */
export function outputsBeside(
  beginning: string,
  order: readonly { readonly column: string }[],
): string {
  const own = new RegExp(String.raw`^${beginning}\d+$`, 'i');
  const isTaken = order.some(({ column }) => own.test(column));
  return isTaken ? outputsBeside(`${beginning}_`, order) : beginning;
}

export function joinedAs(rows: Expression, join: number): Expression {
  return sql`${rows} as ${sql.id(aliasOf(join))}`;
}

export function listedAs(rows: Expression): Expression {
  return sql`${rows} as ${sql.id(LISTED)}`;
}

function aliasOf(join: number | undefined): string {
  return join === undefined ? LISTED : `j${join}`;
}

/** The expression of a column that is not stored, over a row with the alias `t`. */
export type ValueOf = (column: string) => Expression | undefined;

/** With the named columns that the relation does not store, each computed. */
export function relationRows(
  model: Model,
  named: ReadonlySet<string>,
  valueOf = valuesOf(model),
): Expression {
  const { path, selection } = model;
  const rows = selection === undefined ? sql.id(...path) : sql`(${sql.raw(selection.sql)})`;
  return withComputed(rows, named, valueOf);
}

/**
 * Joined rows, without columns that nothing names: in a subquery DuckDB takes `"t"."id"` of the
 * rows around it for a part of its own column `t`.
 */
export function innerRows(model: Model, named: ReadonlySet<string>): Expression {
  const computed = valuesOf(model);
  const isAlias = [...model.columns.keys()].some((column) => ALIAS.test(column));
  const valueOf: ValueOf = (column) => computed(column) ?? columnOf({ column });
  return relationRows(model, named, isAlias ? valueOf : computed);
}

export function withComputed(
  rows: Expression,
  named: ReadonlySet<string>,
  valueOf: ValueOf,
): Expression {
  const columns = [...named].map((column) => ({ column, value: valueOf(column) }));
  if (columns.every(({ value }) => value === undefined)) return rows;
  const selected = columns.map(({ column, value }) =>
    value === undefined ? columnOf({ column }) : sql`${value} as ${sql.id(column)}`,
  );
  return sql`(select ${sql.join(selected)} from ${listedAs(rows)})`;
}

export function valuesOf({ columns }: Model): ValueOf {
  return (column) => {
    const { computed } = columns.get(column) ?? {};
    return computed === undefined ? undefined : sql`(${sql.raw(computed.sql)})`;
  };
}

/** The columns of each join that a statement names, with those that joins compare. */
export function columnsByJoin(
  named: readonly NamedColumn[],
  joins: readonly Join[],
): (join: number | undefined) => ReadonlySet<string> {
  const compared = joins.flatMap(({ number, from, toOne, policy }): NamedColumn[] => [
    ...attributesOf(policy),
    ...toOne.key.map(({ column }) => ({ column, join: number })),
    ...toOne.columns.map((column) => ({ column, join: from })),
  ]);
  const byJoin = Map.groupBy([...named, ...compared], ({ join }) => join);
  return (join) => new Set(byJoin.get(join)?.map(({ column }) => column));
}
