import type { Statement } from '@proj/engine/database';
import type { FollowedOrder, OrderedField } from '@proj/engine/following';

import type { RelationLog } from '../changes/relation-log.ts';
import type { NamedColumn } from './boundary-search.ts';
import { KeyOrder, withoutModifier } from './key-order.ts';
import { type ListLimits, OrderedList } from './ordered-list.ts';
import { KeyPlacing, PlacedOrder } from './placed-order.ts';
import { isStable, type KeyedRelation, type RowFilter, type TouchedRows } from './touched-rows.ts';
import type { RelationSchema } from '../relations/relation-schema.ts';
import type { ShownRows, Stamp } from '../relations/stamp.ts';

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
  if (terms.some(({ term }) => term.collation !== undefined || term.field !== undefined))
    return undefined;
  const ordered = terms.map(orderedColumn);
  const keyOrder = KeyOrder.of(ordered) ?? PlacedOrder.of(ordered);
  if (keyOrder === undefined || terms.length === 0) return undefined;
  const listed = { keyOrder, ordered, columns, places };
  const isPlaced = keyOrder instanceof PlacedOrder;
  if (!isPlaced && isKey(relation, filter, terms)) return { ...listed, filter: undefined };
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

function orderedColumn({ term, field: { databaseType } }: OrderedField): NamedColumn {
  const { column: name, direction, nullable, nulls } = term;
  return { name, databaseType, direction, nulls: nullable ? nulls : undefined };
}

/** Whether a list has all rows, ordered by the log's keys. A key of a domain has its base type. */
function isKey(
  { key, shown }: ListedRelation,
  { condition }: RowFilter,
  terms: readonly OrderedField[],
): boolean {
  if (!isLogged({ shown }, { condition }) || terms.length !== key.length) return false;
  return terms.every(({ term, field }, index) => {
    const { name, type } = key[index] ?? {};
    return term.column === name && withoutModifier(field.databaseType) === type;
  });
}

/** The model's types are from the last reading of the schema; columns may have changed. */
function isOfSameTypes(terms: readonly OrderedField[], { columns }: ListedRelation): boolean {
  return terms.every(({ term, field }) =>
    columns.some(({ name, type }) => name === term.column && type === field.databaseType),
  );
}

/** Of all lists together, about 200 bytes each. */
const MOST_BUCKETS = 100_000;

/** Longer lists get longer buckets: so many at first, at most twice as many. */
const FIRST_BUCKETS = 25_000;

/** For lists that the database sorts: their keys are longer. */
const FIRST_PLACED_BUCKETS = 5000;

/** Skipping so many rows costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** A bucket that has grown so many times is split. */
const SPLIT_FACTOR = 4;

const CHUNK_ROWS = 100_000;

/** Of a relation, besides the list of all rows by key. */
const MOST_ORDERS = 16;

export interface FollowedList extends ListedOrder {
  /** Undefined where the log says how they moved. */
  readonly touched?: TouchedRows | undefined;
  readonly list: OrderedList;
  readonly step: number;
  readonly placing: KeyPlacing | undefined;
}

interface Entry extends FollowedList {
  readonly name: string;
  readonly relation: ListedRelation;
}

/** A server's followed lists; of too many, the one unused for longest goes. */
export class OrderedLists {
  /** The last was used last. */
  readonly #entries = new Map<string, Entry>();

  get bytes(): number {
    const all = [...this.#entries.values()];
    return all.reduce((sum, { list, placing }) => sum + list.length * (placing ? 400 : 200), 0);
  }

  get #buckets(): number {
    return [...this.#entries.values()].reduce((sum, { list }) => sum + list.length, 0);
  }

  get(relation: ListedRelation, order: FollowedOrder, filter: RowFilter): FollowedList | undefined {
    const entry = this.#entries.get(nameOf(relation, order, filter));
    if (entry === undefined) return undefined;
    this.#drop(entry);
    if (entry.list.isBroken) return undefined;
    this.#keep(entry);
    return entry;
  }

  begin(
    order: FollowedOrder,
    listed: ListedOrder & Pick<Entry, 'relation' | 'touched'>,
    { filter, total }: { readonly filter: RowFilter; readonly total: bigint },
  ): void {
    const { relation, keyOrder } = listed;
    const isPlaced = keyOrder instanceof PlacedOrder;
    const first = isPlaced ? FIRST_PLACED_BUCKETS : FIRST_BUCKETS;
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / first));
    const list = new OrderedList(keyOrder, limitsOf(step));
    const asked = { path: relation.path, columns: listed.ordered };
    const placing = isPlaced ? new KeyPlacing(list, keyOrder, asked) : undefined;
    this.#makeRoom(Math.ceil(Number(total) / step));
    if (listed.filter !== undefined)
      for (const entry of this.asked(relation.token).slice(0, 1 - MOST_ORDERS)) this.#drop(entry);
    this.#keep({ ...listed, name: nameOf(relation, order, filter), list, step, placing });
  }

  /** Lists for which the database tracks changed rows. */
  asked(token: string): Entry[] {
    return [...this.#entries.values()].filter(
      ({ relation, filter }) => relation.token === token && filter !== undefined,
    );
  }

  forgetAsked(token: string): void {
    for (const entry of this.asked(token)) {
      entry.list.forget();
      this.#drop(entry);
    }
  }

  #keep(entry: Entry): void {
    this.#entries.set(entry.name, entry);
    if (entry.filter === undefined) entry.relation.log.listen(entry.list);
  }

  #drop({ name, list, relation }: Entry): void {
    this.#entries.delete(name);
    relation.log.unlisten(list);
  }

  #makeRoom(buckets: number): void {
    for (const entry of this.#entries.values())
      if (entry.list.isBroken || this.#buckets + buckets > MOST_BUCKETS) this.#drop(entry);
  }
}

function nameOf({ token }: ListedRelation, { key }: FollowedOrder, filter: RowFilter): string {
  return [token, key, filter.name].join(' ');
}

function limitsOf(step: number): ListLimits {
  const chunkRows = Math.max(step, Math.floor(CHUNK_ROWS / step) * step);
  return { step, splitRows: SPLIT_FACTOR * step, chunkRows, buckets: 2 * FIRST_BUCKETS };
}
