import type { OrderTerm } from '../../../catalogue/model.ts';
import type { FollowedOrder } from '../../followed.ts';
import { KeyOrder } from './key-order.ts';
import { type ListLimits, MaintainedList } from './maintained-list.ts';
import type { CountedRelation } from './maintained-totals.ts';
import type { RelationLog } from './relation-log.ts';

/** The buckets of all lists together. One takes about 200 bytes. */
const MOST_BUCKETS = 100_000;

/** A longer list has longer buckets, so that it has so many at first, and at most twice as many. */
const FIRST_BUCKETS = 25_000;

/** Passing over so many rows costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** A bucket is split when it has so many times the rows that it began with. */
const SPLIT_FACTOR = 4;

const CHUNK_ROWS = 10_000;

/** A relation whose lists are maintained. */
export interface ListedRelation extends CountedRelation {
  /** No other relation has it, nor this one after it changed. */
  readonly token: string;
  /** The columns of the keys in its log. */
  readonly key: readonly string[];
}

/** A list that is kept. */
export interface KeptList {
  readonly list: MaintainedList;
  readonly step: number;
  /** For each term of the order the place of its column in the keys of the log. */
  readonly places: readonly number[];
}

/** A list that is kept, with what its changes come from. */
interface Entry extends KeptList {
  readonly log: RelationLog;
}

/** The maintained lists of a server. Where they are too many, the one unused for longest goes. */
export class MaintainedLists {
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, Entry>();

  /** How many bytes they take in memory, estimated. */
  get bytes(): number {
    return this.#buckets * 200;
  }

  get #buckets(): number {
    return [...this.#entries.values()].reduce((sum, { list }) => sum + list.length, 0);
  }

  /** The list of an order; undefined where there is none that is of use. */
  get({ token }: ListedRelation, { key }: FollowedOrder): KeptList | undefined {
    const name = `${token} ${key}`;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    if (entry.list.isBroken) {
      entry.log.unlisten(entry.list);
      return undefined;
    }
    this.#entries.set(name, entry);
    return entry;
  }

  /** Begins the list of an order with this total. Returns whether it can be followed. */
  begin(relation: ListedRelation, order: FollowedOrder, total: bigint): boolean {
    if (order.condition !== undefined) return false;
    const places = order.terms.map(({ term }) => relation.key.indexOf(term.column));
    const keyOrder = keyOrderOf(relation, order, places);
    if (keyOrder === undefined) return false;
    const { log } = relation;
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / FIRST_BUCKETS));
    const list = new MaintainedList(keyOrder, limitsOf(step));
    this.#makeRoom(Math.ceil(Number(total) / step));
    log.listen(list);
    this.#entries.set(`${relation.token} ${order.key}`, { list, step, places, log });
    return true;
  }

  #makeRoom(buckets: number): void {
    for (const [name, { list, log }] of this.#entries) {
      if (!list.isBroken && this.#buckets + buckets <= MOST_BUCKETS) continue;
      log.unlisten(list);
      this.#entries.delete(name);
    }
  }
}

function limitsOf(step: number): ListLimits {
  const chunkRows = Math.max(step, Math.floor(CHUNK_ROWS / step) * step);
  return { step, splitRows: SPLIT_FACTOR * step, chunkRows, buckets: 2 * FIRST_BUCKETS };
}

/**
 * The order of a relation by its key; undefined where the terms have another one, or where Node may
 * have another one than the database. A column may come again behind the whole key, which says
 * nothing.
 *
 * @param places for each term the place of its column in the key
 */
function keyOrderOf(
  { key }: ListedRelation,
  { terms }: FollowedOrder,
  places: readonly number[],
): KeyOrder | undefined {
  const inOrder = [...new Set(places)];
  if (inOrder.length !== key.length || inOrder.some((place, index) => place !== index))
    return undefined;
  const first = inOrder.flatMap((place) => terms[places.indexOf(place)] ?? []);
  if (!first.every(({ term }) => isPlain(term))) return undefined;
  return KeyOrder.of(
    first.map(({ term: { direction }, field: { databaseType } }) => ({ databaseType, direction })),
  );
}

/** Whether a column is sorted as it is. */
function isPlain({ nullable, collation, field }: OrderTerm): boolean {
  return !nullable && collation === undefined && field === undefined;
}
