import type { PageRange } from '@proj/engine/database';
import type {
  Checkpoints,
  FollowedIndex,
  KeyRows,
  RowPlace,
  WantedKeys,
} from '@proj/engine/following';

import type { AskRow } from '../../connection/connection.ts';
import type { KeyTexts, RowChange } from '../changes/row-change.ts';
import type { KeyRead, PlacedKey } from './ordered-list.ts';
import type { FollowedList } from './ordered-lists.ts';

export interface ListRead {
  readonly total: bigint | undefined;
  /** What the kept list has now beyond the snapshot; undefined where unknown. */
  unseen(): readonly RowChange[] | undefined;
  /** Reads this anew: the list may have moved to another base snapshot. */
  again?(): Promise<ListRead>;
  /** Asks in the snapshot, for lists that the database sorts. */
  readonly ask?: AskRow | undefined;
}

/** A followed list in a running read's snapshot. Keys have a value for each term of the order. */
export class ListKeys implements FollowedIndex {
  readonly #kept: FollowedList;
  #read: ListRead;
  #wanted: KeyRead | undefined;

  constructor(kept: FollowedList, read: ListRead) {
    this.#kept = kept;
    this.#read = read;
  }

  get isComplete(): boolean {
    return this.#kept.list.isComplete;
  }

  get isBroken(): boolean {
    return this.#kept.list.isBroken;
  }

  locate(range: PageRange): RowPlace | undefined {
    const unseen = this.#checkedUnseen();
    const place = unseen && this.#kept.list.locate(range, unseen);
    return place && { ...place, from: this.#values(place.from) };
  }

  checkpoints(): Checkpoints | undefined {
    const unseen = this.#checkedUnseen();
    const placed = unseen && this.#kept.list.placed(unseen);
    if (placed === undefined) return undefined;
    const { buckets, rowsBefore } = placed;
    return {
      // The first bucket has rows before its key too.
      length: Math.max(0, buckets.length - 1),
      keyAt: (index) => this.#values(buckets[index + 1]?.texts) ?? [],
      rowsBefore: (index) => BigInt(rowsBefore[index + 1] ?? 0),
    };
  }

  wants(): WantedKeys | undefined {
    const unseen = this.#unseen();
    this.#wanted = unseen && this.#kept.list.nextRead(unseen);
    if (this.#wanted === undefined) return undefined;
    const { from, part, rows } = this.#wanted;
    return { from: this.#values(from), part, rows, step: this.#kept.step };
  }

  async learn({ rows }: KeyRows): Promise<boolean> {
    const { list, placing } = this.#kept;
    const wanted = this.#wanted;
    if (wanted === undefined) return false;
    // Reading a chunk may take longer than a busy base snapshot lasts.
    if (this.#unseen() === undefined) this.#read = (await this.#read.again?.()) ?? this.#read;
    const unseen = this.#unseen();
    if (unseen === undefined) return false;
    const keys = rows.map((row) => this.#placedKey(row));
    const { ask } = this.#read;
    if (placing !== undefined)
      return (
        ask !== undefined && placing.learn(wanted, keys, { unseen: () => this.#read.unseen(), ask })
      );
    list.learn(wanted, keys, unseen);
    return true;
  }

  /** As `#unseen`. If the sum of the buckets differs from the total, the list is forgotten. */
  #checkedUnseen(): readonly RowChange[] | undefined {
    const { list } = this.#kept;
    const unseen = this.#unseen();
    if (unseen === undefined) return undefined;
    const total = list.total(unseen);
    const known = this.#read.total;
    // Both began with their own counts and saw the same changes, so they must be equal.
    if (total !== undefined && known !== undefined && total !== known) list.forget();
    return unseen;
  }

  #unseen(): readonly RowChange[] | undefined {
    const { placing } = this.#kept;
    const unseen = this.#read.unseen();
    return unseen && placing?.knows(unseen) !== false ? unseen : undefined;
  }

  /** For the order's terms, which may name a column twice. */
  #values(texts: KeyTexts | undefined): (string | null)[] | undefined {
    return texts && this.#kept.places.map((place) => texts[place] ?? null);
  }

  #placedKey(row: readonly unknown[]): PlacedKey {
    const { columns, places } = this.#kept;
    const texts = columns.map((_column, place) => textOf(row[places.indexOf(place)]));
    return { texts, place: Number(row.at(-1)) };
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
