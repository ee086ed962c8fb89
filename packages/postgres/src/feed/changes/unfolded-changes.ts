import type { KeyTexts, RelationChange, RowChange } from './transactions.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';

type Place = Pick<PlacedChange, 'place' | 'xid'>;

/** With its place among the relation's changes, from 1 on, in commit order. */
interface PlacedChange extends RelationChange {
  readonly place: number;
  readonly delta: number;
}

/** Changes that some read may not see. Others are folded: all snapshots asked about see them. */
export class UnfoldedChanges {
  #changes: PlacedChange[] = [];
  #rows = 0;
  #lastFolded: Place = { place: 0, xid: 0n };
  #lastAppended = this.#lastFolded;

  get size(): number {
    return this.#changes.length;
  }

  get rows(): number {
    return this.#rows;
  }

  get truncated(): boolean {
    return this.#changes.some(({ truncated }) => truncated);
  }

  /** Names the time before the first change by the last transaction before it. */
  begin(xid: bigint): void {
    if (this.#lastFolded.place === 0) this.#lastFolded = { place: 0, xid };
    if (this.#lastAppended.place === 0) this.#lastAppended = { place: 0, xid };
  }

  append(change: RelationChange): void {
    const place = this.#lastAppended.place + 1;
    this.#lastAppended = { place, xid: change.xid };
    this.#changes.push({ ...change, place, delta: deltaOf(change) });
    this.#rows += change.rows.length;
  }

  fold(snapshot: TransactionSnapshot): void {
    this.#lastFolded = this.#lastSeen(snapshot);
    this.#changes = this.unseen(snapshot);
    this.#rows = this.#changes.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  foldAll(): void {
    this.#lastFolded = this.#lastAppended;
    this.#changes = [];
    this.#rows = 0;
  }

  unseen(snapshot: TransactionSnapshot): PlacedChange[] {
    return this.#changes.filter(({ xid }) => !snapshot.sees(xid));
  }

  differing(one: TransactionSnapshot, other: TransactionSnapshot): PlacedChange[] {
    return this.#changes.filter(({ xid }) => one.sees(xid) !== other.sees(xid));
  }

  /** Keys in changes that exactly one snapshot sees; undefined where rows are missing. */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    const differing = this.differing(one, other);
    if (differing.some(({ truncated }) => truncated)) return undefined;
    const keys = differing.flatMap(({ rows }) => rows).flatMap(keysOf);
    return new Set(keys.map((key) => JSON.stringify(key)));
  }

  /**
   * The last change that a snapshot sees, and the earlier ones that it doesn't. Equal texts if and
   * only if two snapshots see the same changes, wherever their logs begin.
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

export function deltaOf({ rows }: RelationChange): number {
  return rows.reduce(
    (sum, { came, went }) => sum + (came === undefined ? 0 : 1) - (went === undefined ? 0 : 1),
    0,
  );
}
