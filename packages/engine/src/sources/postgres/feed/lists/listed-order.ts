import type { OrderTerm } from '../../../../catalogue/model.ts';
import type { OrderedField } from '../../../../sql/clauses/page-clauses.ts';
import type { FollowedOrder } from '../../../followed.ts';
import { KeyOrder } from './key-order.ts';
import { ListLog } from '../changes/list-log.ts';
import type { CountedRelation } from './counted-lists.ts';
import { RowCondition } from '../changes/row-condition.ts';
import type { RowLog } from '../changes/row-log.ts';

/** A relation whose lists are followed. */
export interface ListedRelation extends CountedRelation {
  /**
   * Identifies the relation with its schema: another relation, or this one after a change, has
   * another token.
   */
  readonly token: string;
  /** The columns of the keys in its log. */
  readonly key: readonly string[];
}

/** An order that can be followed. */
export interface ListedOrder {
  readonly keyOrder: KeyOrder;
  /** The columns of the keys in the log, in the order. */
  readonly columns: readonly string[];
  /** For each term of the order the place of its column in the keys of the log. */
  readonly places: readonly number[];
  /** The changes of its rows. */
  readonly log: RowLog;
}

/**
 * Undefined where Node cannot sort the list as the database does, or cannot tell which rows it has.
 */
export function listedOrder(
  relation: ListedRelation,
  order: FollowedOrder,
): ListedOrder | undefined {
  const columns = [...new Set(order.terms.map(({ term }) => term.column))];
  const places = order.terms.map(({ term }) => columns.indexOf(term.column));
  const terms = columns.flatMap((_, place) => order.terms[places.indexOf(place)] ?? []);
  if (!terms.every(({ term }) => isPlain(term))) return undefined;
  const keyOrder = keyOrderOf(terms);
  if (keyOrder === undefined) return undefined;
  const log = isKey(relation, order, columns)
    ? relation.log
    : listLogOf(relation, order, { columns, terms });
  return log && { keyOrder, columns, places, log };
}

/** Whether a column is sorted as it is. */
function isPlain({ collation, field }: OrderTerm): boolean {
  return collation === undefined && field === undefined;
}

function keyOrderOf(terms: readonly OrderedField[]): KeyOrder | undefined {
  if (terms.length === 0) return undefined;
  return KeyOrder.of(
    terms.map(({ term: { direction, nullable, nulls }, field: { databaseType } }) => ({
      databaseType,
      direction,
      nulls: nullable ? nulls : undefined,
    })),
  );
}

/** Whether a list has all rows, in the order of the keys in the log of their relation. */
function isKey(
  { key }: ListedRelation,
  { condition }: FollowedOrder,
  columns: readonly string[],
): boolean {
  if (condition !== undefined || columns.length !== key.length) return false;
  return columns.every((column, index) => column === key[index]);
}

interface OrderedColumns {
  readonly columns: readonly string[];
  readonly terms: readonly OrderedField[];
}

/** Makes a log for the rows of a list, which needs whole rows in the change log. */
function listLogOf(
  { log, schema }: ListedRelation,
  { condition }: FollowedOrder,
  { columns, terms }: OrderedColumns,
): ListLog | undefined {
  // The model has the types as of the last reading of the schema; columns may have changed since.
  const isSame = terms.every(({ term, field }) =>
    schema.columns.some(({ name, type }) => name === term.column && type === field.databaseType),
  );
  const decided = condition && RowCondition.of(condition, schema);
  const isDecided = condition === undefined || decided !== undefined;
  if (!schema.isFull || !isSame || !isDecided) return undefined;
  return new ListLog(log, { condition: decided, key: columns });
}
