import type { Statement } from '@proj/engine/database';
import type { FollowedOrder, OrderedField, OrderTerm } from '@proj/engine/following';

import type { RelationLog } from '../changes/relation-log.ts';
import type { RelationSchema } from '../relations/relation-schema.ts';
import type { ShownRows } from '../relations/shown-rows.ts';
import type { Stamp } from '../relations/stamp.ts';
import type { NamedColumn } from './boundary-search.ts';
import { KeyOrder } from './key-order.ts';
import { PlacedOrder } from './placed-order.ts';
import { isStable, type RowFilter } from './row-filter.ts';
import type { KeyedRelation } from './touched-rows.ts';

export interface ListedRelation
  extends KeyedRelation, Pick<RelationSchema, 'columns' | 'isSeekable'> {
  /** Identifies relation, schema and the rows shown; a change of any changes it. */
  readonly token: string;
  /** Undefined: those shown to the service, which are all. */
  readonly shown: ShownRows | undefined;
  readonly log: RelationLog;
  readonly hasOwnTypes: boolean;
  readonly stamp: Statement;
  describes(stamp: Stamp): boolean;
}

export interface ListedOrder {
  /** A {@link PlacedOrder} where Node cannot sort the list as the database does. */
  readonly keyOrder: KeyOrder;
  readonly ordered: readonly NamedColumn[];
  readonly columns: readonly string[];
  /** For each term of the order, its column's place in the keys. */
  readonly places: readonly number[];
  /** The list's rows, where the database tracks them; undefined where the relation's log does. */
  readonly filter: RowFilter | undefined;
}

/** Undefined where the list can't be sorted, or the database can't tell which rows changed. */
export function listedOrder(
  relation: ListedRelation,
  order: FollowedOrder,
  filter: RowFilter,
): ListedOrder | undefined {
  const columns = [...new Set(order.terms.map(({ term }) => term.column))];
  const places = order.terms.map(({ term }) => columns.indexOf(term.column));
  const terms = columns.flatMap((_, place) => order.terms[places.indexOf(place)] ?? []);
  if (!terms.every(({ term }) => isPlain(term))) return undefined;
  const ordered = terms.map(orderedColumn);
  const keyOrder = KeyOrder.of(ordered) ?? PlacedOrder.of(ordered);
  if (keyOrder === undefined || terms.length === 0) return undefined;
  const listed = { keyOrder, ordered, columns, places };
  const isPlaced = keyOrder instanceof PlacedOrder;
  if (!isPlaced && isKey(relation, filter, columns)) return { ...listed, filter: undefined };
  return isOfSameTypes(terms, relation) && isAskable(relation, filter)
    ? { ...listed, filter }
    : undefined;
}

/** Whether a list has all rows, so that the log knows how many. */
export function isLogged(
  { shown }: Pick<ListedRelation, 'shown'>,
  { condition }: Pick<RowFilter, 'condition'>,
): boolean {
  return shown === undefined && condition === undefined;
}

export function isAskable(
  { key, isSeekable, columns, shown }: ListedRelation,
  filter: RowFilter,
): boolean {
  const isSought = shown?.definition === undefined || key.every(({ isLeakproof }) => isLeakproof);
  return key.length > 0 && isSeekable && isSought && isStable(filter, columns);
}

function isPlain({ collation, field }: OrderTerm): boolean {
  return collation === undefined && field === undefined;
}

function orderedColumn({ term, field: { databaseType } }: OrderedField): NamedColumn {
  const { column: name, direction, nullable, nulls } = term;
  return { name, databaseType, direction, nulls: nullable ? nulls : undefined };
}

/** Whether a list has all rows, ordered by the log's keys. */
function isKey(
  { key, shown }: ListedRelation,
  { condition }: RowFilter,
  columns: readonly string[],
): boolean {
  if (!isLogged({ shown }, { condition }) || columns.length !== key.length) return false;
  return columns.every((column, index) => column === key[index]?.name);
}

/** The model's types are from the last reading of the schema; columns may have changed. */
function isOfSameTypes(terms: readonly OrderedField[], { columns }: ListedRelation): boolean {
  return terms.every(({ term, field }) =>
    columns.some(({ name, type }) => name === term.column && type === field.databaseType),
  );
}
