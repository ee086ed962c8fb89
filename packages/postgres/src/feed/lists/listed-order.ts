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

/** A relation whose lists are followed. */
export interface ListedRelation extends KeyedRelation, Pick<RelationSchema, 'isSeekable'> {
  /**
   * Identifies the relation with its schema: another relation, or this one after a change, has
   * another token, and so has what callers are shown of it.
   */
  readonly token: string;
  /** The rows of it that are listed. Undefined: those that the service is shown, which are all. */
  readonly shown: ShownRows | undefined;
  readonly log: RelationLog;
  /** Whether columns have types that are not built in. */
  readonly hasOwnTypes: boolean;
  /** Takes the stamp of a read. */
  readonly stamp: Statement;
  /** Whether a stamp has the schema that is followed. */
  describes(stamp: Stamp): boolean;
}

/** An order that can be followed. */
export interface ListedOrder {
  /** A {@link PlacedOrder} where Node cannot sort the list as the database does. */
  readonly keyOrder: KeyOrder;
  readonly ordered: readonly NamedColumn[];
  /** The columns of the keys of the list, in the order. */
  readonly columns: readonly string[];
  /** For each term of the order the place of its column in those keys. */
  readonly places: readonly number[];
  /**
   * Which rows the list has, where the database has to say how changed rows moved; undefined where
   * the log of the relation says it.
   */
  readonly filter: RowFilter | undefined;
}

/**
 * Undefined where neither Node sorts the list as the database does nor the database can be asked,
 * or where it cannot say which of its rows have changed.
 */
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

/** Whether the log of a relation says how many rows a list has: all of them. */
export function isLogged(
  { shown }: Pick<ListedRelation, 'shown'>,
  { condition }: Pick<RowFilter, 'condition'>,
): boolean {
  return shown === undefined && condition === undefined;
}

/** Whether the database can say which rows of a list were changed, and what they were. */
export function isAskable(
  { key, isSeekable, columns, shown }: ListedRelation,
  filter: RowFilter,
): boolean {
  const isSought = shown?.definition === undefined || key.every(({ isLeakproof }) => isLeakproof);
  return key.length > 0 && isSeekable && isSought && isStable(filter, columns);
}

/** Whether a column is sorted as it is. */
function isPlain({ collation, field }: OrderTerm): boolean {
  return collation === undefined && field === undefined;
}

function orderedColumn({ term, field: { databaseType } }: OrderedField): NamedColumn {
  const { column: name, direction, nullable, nulls } = term;
  return { name, databaseType, direction, nulls: nullable ? nulls : undefined };
}

/** Whether a list has all rows, in the order of the keys in the log of their relation. */
function isKey(
  { key, shown }: ListedRelation,
  { condition }: RowFilter,
  columns: readonly string[],
): boolean {
  if (!isLogged({ shown }, { condition }) || columns.length !== key.length) return false;
  return columns.every((column, index) => column === key[index]?.name);
}

/**
 * The model has the types as of the last reading of the schema; columns may have changed since.
 */
function isOfSameTypes(terms: readonly OrderedField[], { columns }: ListedRelation): boolean {
  return terms.every(({ term, field }) =>
    columns.some(({ name, type }) => name === term.column && type === field.databaseType),
  );
}
