import type { KeyTexts, RelationChange, RowChange } from './changes.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';

type Place = Pick<PlacedChange, 'place' | 'xid'>;

/** A change with its place among all changes of the relation, from 1 on, in commit order. */
interface PlacedChange extends RelationChange {
  readonly place: number;
  /** How many rows came, less those that went. */
  readonly delta: number;
}

/**
 * The committed changes of a relation that some read may not see. All others are folded: they are
 * no longer kept, and this is asked only about snapshots that see them.
 */
export class UnfoldedChanges {
  #changes: PlacedChange[] = [];
  #rows = 0;
  /** The last change that is folded. */
  #lastFolded: Place;
  #lastAppended: Place;

  /** @param begin the transaction before all changes */
  constructor(begin: bigint) {
    this.#lastFolded = this.#lastAppended = { place: 0, xid: begin };
  }

  /** How many changes are kept. */
  get size(): number {
    return this.#changes.length;
  }

  /** How many rows that came or went are kept, in all changes together. */
  get rows(): number {
    return this.#rows;
  }

  /** Whether rows came or went that are not listed. */
  get truncated(): boolean {
    return this.#changes.some(({ truncated }) => truncated);
  }

  append(change: RelationChange): void {
    const place = this.#lastAppended.place + 1;
    this.#lastAppended = { place, xid: change.xid };
    this.#changes.push({ ...change, place, delta: deltaOf(change) });
    this.#rows += change.rows.length;
  }

  /** Folds what a snapshot sees. */
  fold(snapshot: TransactionSnapshot): void {
    this.#lastFolded = this.#lastSeen(snapshot);
    this.#changes = this.unseen(snapshot);
    this.#rows = this.#changes.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** Folds all of them. */
  foldAll(): void {
    this.#lastFolded = this.#lastAppended;
    this.#changes = [];
    this.#rows = 0;
  }

  /** The changes that a snapshot does not see. */
  unseen(snapshot: TransactionSnapshot): PlacedChange[] {
    return this.#changes.filter(({ xid }) => !snapshot.sees(xid));
  }

  /** The changes that exactly one of two snapshots sees. */
  differing(one: TransactionSnapshot, other: TransactionSnapshot): PlacedChange[] {
    return this.#changes.filter(({ xid }) => one.sees(xid) !== other.sees(xid));
  }

  /**
   * The keys of the rows in the changes that exactly one of two snapshots sees, before them and
   * after them; undefined where one of these changes does not list its rows.
   */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    const differing = this.differing(one, other);
    if (differing.some(({ truncated }) => truncated)) return undefined;
    const keys = differing.flatMap(({ rows }) => rows).flatMap(keysOf);
    return new Set(keys.map((key) => JSON.stringify(key)));
  }

  /**
   * Which changes a snapshot sees: the transaction of the last of them, and those before it that
   * it does not see. Equal texts if and only if two snapshots see the same changes, also where one
   * began with an earlier transaction than another.
   */
  version(snapshot: TransactionSnapshot): string {
    const last = this.#lastSeen(snapshot);
    const unseen = this.unseen(snapshot).filter(({ place }) => place < last.place);
    return [last, ...unseen].map(({ xid }) => xid).join('-');
  }

  #lastSeen(snapshot: TransactionSnapshot): Place {
    const last = this.#changes.findLast(({ xid }) => snapshot.sees(xid));
    return last !== undefined && last.place > this.#lastFolded.place ? last : this.#lastFolded;
  }
}

function keysOf({ came, went, stays }: RowChange): KeyTexts[] {
  return [came, went, stays].filter((key) => key !== undefined);
}

/** How many rows came in a change, less those that went. */
export function deltaOf({ rows }: RelationChange): number {
  return rows.reduce(
    (sum, { came, went }) => sum + (came === undefined ? 0 : 1) - (went === undefined ? 0 : 1),
    0,
  );
}
