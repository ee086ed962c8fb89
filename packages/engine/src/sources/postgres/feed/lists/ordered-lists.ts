import type { FollowedOrder } from '../../../followed.ts';
import { ConditionNames } from './condition-names.ts';
import { ListLog } from '../changes/list-log.ts';
import { type ListedOrder, type ListedRelation, listedOrder } from './listed-order.ts';
import { type ListLimits, OrderedList } from './ordered-list.ts';

/** The buckets of all lists together. One takes about 200 bytes. */
const MOST_BUCKETS = 100_000;

/** A longer list has longer buckets, so that it has so many at first, and at most twice as many. */
const FIRST_BUCKETS = 25_000;

/** Passing over so many rows costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** A bucket is split when it has so many times the rows that it began with. */
const SPLIT_FACTOR = 4;

const CHUNK_ROWS = 10_000;

/** So many orders of a relation are followed beside that of its key. */
const MOST_ORDERS = 8;

/** A list that is kept. */
export interface FollowedList extends ListedOrder {
  readonly list: OrderedList;
  readonly step: number;
}

/** A list that is kept, with the relation that it is of. */
interface Entry extends FollowedList {
  readonly relation: ListedRelation;
}

/** The followed lists of a server. Where they are too many, the one unused for longest goes. */
export class OrderedLists {
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, Entry>();
  readonly #names = new ConditionNames();

  /** How many bytes they take in memory, estimated. */
  get bytes(): number {
    return this.#buckets * 200;
  }

  get #buckets(): number {
    return [...this.#entries.values()].reduce((sum, { list }) => sum + list.length, 0);
  }

  /** The list of an order; undefined where there is none that is of use. */
  get(relation: ListedRelation, order: FollowedOrder): FollowedList | undefined {
    const name = this.#nameOf(relation, order);
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    if (entry.list.isBroken) {
      drop(entry);
      return undefined;
    }
    this.#entries.set(name, entry);
    return entry;
  }

  /** Begins the list of an order with this total. Returns whether it can be followed. */
  begin(relation: ListedRelation, order: FollowedOrder, total: bigint): boolean {
    const listed = listedOrder(relation, order);
    if (listed === undefined) return false;
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / FIRST_BUCKETS));
    const list = new OrderedList(listed.keyOrder, limitsOf(step));
    this.#makeRoom(Math.ceil(Number(total) / step));
    if (listed.log instanceof ListLog) {
      this.#makeRoomOf(relation);
      relation.log.addList(listed.log);
    }
    listed.log.listen(list);
    this.#entries.set(this.#nameOf(relation, order), { ...listed, list, step, relation });
    return true;
  }

  #nameOf({ token }: ListedRelation, { key, condition }: FollowedOrder): string {
    return [token, key, condition && this.#names.of(condition)].join(' ');
  }

  #makeRoom(buckets: number): void {
    for (const [name, entry] of this.#entries) {
      if (!entry.list.isBroken && this.#buckets + buckets <= MOST_BUCKETS) continue;
      drop(entry);
      this.#entries.delete(name);
    }
  }

  /** For another order of a relation. */
  #makeRoomOf({ log }: ListedRelation): void {
    const others = [...this.#entries].filter(
      ([, entry]) => entry.relation.log === log && entry.log !== log,
    );
    for (const [name, entry] of others.slice(0, 1 - MOST_ORDERS)) {
      drop(entry);
      this.#entries.delete(name);
    }
  }
}

function drop({ list, log, relation }: Entry): void {
  log.unlisten(list);
  if (log instanceof ListLog) relation.log.removeList(log);
}

function limitsOf(step: number): ListLimits {
  const chunkRows = Math.max(step, Math.floor(CHUNK_ROWS / step) * step);
  return { step, splitRows: SPLIT_FACTOR * step, chunkRows, buckets: 2 * FIRST_BUCKETS };
}
